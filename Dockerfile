# One image for the site, its workers and its beat, from the wheel in dist/; docker-compose.yml says which runs what.
FROM python:3.11.16-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 MODE=server VAR_DIR=/var/lib/topage TOPAGE_COMMAND=topage \
    WORKER_ALIVE=/tmp/alive
WORKDIR /var/lib/topage

COPY requirements.txt /root/
RUN pip install --no-cache-dir --require-hashes --no-deps -r /root/requirements.txt

COPY dist/topage-*.whl /root/
RUN pip install --no-cache-dir --no-deps /root/topage-*.whl
# The settings refuse to start without these; nothing here is reached or kept.
RUN SECRET_KEY=only-to-collect-the-static-files-of-the-image ALLOWED_HOSTS=localhost \
    DATABASE_URL=postgres://localhost/none REDIS_URL=redis://localhost \
    topage collectstatic --no-input

# The volume of the backups gets this owner.
RUN useradd --system topage && install --directory --owner topage --mode 700 /backups
USER topage
EXPOSE 8000
CMD ["topage", "serve", "--host", "0.0.0.0"]
