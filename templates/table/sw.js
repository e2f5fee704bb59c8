{% load static table %}// Stores the files of the table's screen: its page, scripts and styles, all of one version. Data and results
// never go through here. A new version is stored completely or not at all; see shell.js.

const VERSION = "{% table_version %}";
const FILES = {% table_files %}.map((name) => "{% get_static_prefix %}" + name);
const KIND = "topage-table-";
const CACHE = KIND + VERSION;
const PAGE = /^\/t\/[\w-]{43}\/$/;
const SHELL = "/t/"; // the name under which the page is stored; it is the same for every table
const TYPES = { js: "javascript", css: "text/css", svg: "image/svg" };

{% include "table/_keeping.js" %}