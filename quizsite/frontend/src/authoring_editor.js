// The editor of authors: the students' one, which also knows the languages of course folders.
import { yaml } from "@codemirror/lang-yaml";
import { defineLanguageFacet, indentUnit, Language, LanguageSupport } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { parser as markdownParser } from "@lezer/markdown";
import { LANGUAGES } from "./editor.js";

// The parser alone: the usual package brings the languages of web pages with it.
const markdown = () => new LanguageSupport(new Language(defineLanguageFacet(), markdownParser, [], "markdown"));

LANGUAGES.yaml = () => [yaml(), indentUnit.of("  ")];
LANGUAGES.markdown = () => [markdown(), indentUnit.of("  "), EditorView.lineWrapping];

export * from "./editor.js";
