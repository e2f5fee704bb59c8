"""A crawl: every page that a visitor finds by following links, with the words that people read on it."""

from html import unescape
from html.parser import HTMLParser

from django.urls import resolve

SAMPLES = 2  # pages of each address that are read


class Page(HTMLParser):
    """The links of a page, and the text of its main part that people read."""

    def __init__(self, html):
        super().__init__()
        self.links, self.text, self.inside, self.hidden = [], [], False, 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        if tag == "a" and told.get("href"):
            self.links.append(told["href"])
        for name in ("hx-get", "src"):
            if (told.get(name) or "").startswith("/"):
                self.links.append(told[name])
        self.inside = self.inside or tag in ("main", "title")
        self.hidden += tag in ("script", "style")
        if self.inside:
            self.text += [told[name] for name in ("title", "aria-label", "placeholder") if told.get(name)]

    def handle_endtag(self, tag):
        if tag in ("main", "title"):
            self.inside = False
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data):
        if self.inside and not self.hidden:
            self.text.append(data)

    @property
    def words(self):
        return unescape(" ".join(" ".join(self.text).split()))


def crawl(client, starts, language):
    """Return the text of each page that links lead to from these pages, by the page's name and address."""
    todo, seen, found, taken = [*starts], set(), {}, {}
    while todo:
        url = todo.pop(0).split("#")[0]
        if url in seen or (not url.startswith((starts[0], "/t/", "/j/")) and url not in starts):
            continue
        seen.add(url)
        name = resolve(url.split("?")[0]).url_name
        if taken.get(name, 0) >= SAMPLES:
            continue
        taken[name] = taken.get(name, 0) + 1
        answer = client.get(url, headers={"accept-language": language})
        assert answer.status_code in (200, 204, 302, 403), (url, answer.status_code)
        if answer.status_code == 302:
            todo.append(answer.url)
        elif "html" in answer.get("Content-Type", "") and not answer.streaming:
            page = Page(answer.content.decode())
            found[name, url] = page.words
            todo += page.links
    return found
