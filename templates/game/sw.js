{% load static %}// Stores the files of the friendly game: its page, scripts and styles, all of one version. Games never go through
// here. A new version is stored completely or not at all; see shell.js.

const VERSION = "{{ version }}";
const FILES = {{ files }}.map((name) => "{% get_static_prefix %}" + name);
const KIND = "topage-game-";
const CACHE = KIND + VERSION;
const PAGE = /^\/game\/$/;
const SHELL = "/game/";
const TYPES = { js: "javascript", css: "text/css", svg: "image/svg" };

{% include "table/_keeping.js" %}