"""The commands and parts for those who run a site: backups, the doctor that examines a site, health checks."""
