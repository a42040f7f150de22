// The code editor: CodeMirror over a textarea, which stays the form's field and the fallback. Its languages come with
// the bundle: students write Python alone.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentMore, undo } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--code-name)" },
  { tag: [tags.comment], color: "var(--code-remark)" },
  { tag: [tags.meta], color: "var(--code-name)" },
  { tag: [tags.definition(tags.propertyName), tags.link, tags.url], color: "var(--code-name)" },
  { tag: [tags.heading], fontWeight: "600" },
  { tag: [tags.emphasis], fontStyle: "italic" },
  { tag: [tags.strong], fontWeight: "600" },
  { tag: [tags.monospace, tags.contentSeparator, tags.processingInstruction], color: "var(--code-text)" },
]);

/** What a textarea may name in data-language; nothing at all is Python, an unknown word plain text. */
export const LANGUAGES = {
  python: () => [python(), indentUnit.of("    ")],
};

function languageOf(textarea) {
  return (LANGUAGES[textarea.dataset.language ?? "python"] ?? (() => []))();
}

const look = EditorView.theme({
  "&": { color: "var(--code-ink)", backgroundColor: "var(--surface)", fontSize: "var(--editor-size, 0.875rem)", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", fontVariantLigatures: "none", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--accent)", padding: "12px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  // Not transparent: code that is scrolled sideways passes under the numbers.
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 5%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 22%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 12%, transparent)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

function nonce() {
  return document.querySelector("script[nonce]")?.nonce ?? "";
}

// Puts text in the selection's place as if it was typed, so that brackets are closed and lines indented.
function type(view, text) {
  const { from, to } = view.state.selection.main;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type" });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
}

// Typing over a selection is done here: Chromium would put an element with an inline style in its place, which the
// content policy forbids.
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || !event.data || view.state.selection.main.empty || view.composing) return false;
    event.preventDefault();
    type(view, event.data);
    return true;
  },
});

const views = new WeakMap();

/** The editor that stands in the textarea's place, if one does. */
export function editorOf(textarea) {
  return views.get(textarea);
}

function mirrored(textarea) {
  return EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    textarea.value = update.state.doc.toString();
    textarea.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Puts an editor in the textarea's place and returns it; its text goes back into the textarea with every change. */
export function openEditor(textarea) {
  const label = textarea.labels?.[0]?.textContent.trim() || textarea.getAttribute("aria-label") || "Code";
  const view = new EditorView({
    state: EditorState.create({
      doc: textarea.value,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        EditorState.tabSize.of(4),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ activateOnTyping: false }),
        highlightActiveLine(),
        highlightSelectionMatches(),
        lintGutter(),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap]),
        languageOf(textarea),
        syntaxHighlighting(colours),
        look,
        EditorView.editorAttributes.of({ class: "editor" }),
        EditorView.contentAttributes.of({
          "aria-label": label,
          // Also for checkers that do not count editable text among what the keyboard reaches.
          tabindex: "0",
          autocapitalize: "off",
          autocorrect: "off",
          spellcheck: "false",
        }),
        typedOver,
        mirrored(textarea),
      ],
    }),
  });
  textarea.hidden = true;
  textarea.after(view.dom);
  views.set(textarea, view);
  document.fonts.ready.then(() => view.requestMeasure());
  return view;
}

/** Puts the plain textarea back, with the editor's text. */
export function closeEditor(view, textarea) {
  textarea.value = view.state.doc.toString();
  view.destroy();
  views.delete(textarea);
  textarea.hidden = false;
}

/** Types a text at the cursor, a tab as what indents, and takes the last step back where it is null. */
export function press(view, text) {
  view.focus();
  if (text === null) undo(view);
  else if (text === "\t") indent(view);
  else type(view, text);
}

function indent(view) {
  const { from, empty } = view.state.selection.main;
  if (!empty) {
    indentMore(view);
    return;
  }
  const column = from - view.state.doc.lineAt(from).from;
  view.dispatch(view.state.replaceSelection(" ".repeat(4 - (column % 4))), { userEvent: "input.type" });
}

/** Changes places of the text ({from, to, insert}), as one step that can be undone. */
export function changeText(view, changes) {
  view.dispatch({ changes, userEvent: "input" });
}

/** Replaces the whole text, as one step that can be undone. */
export function replaceText(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** Marks lines (from 1), each with its message, and no others. */
export function markLines(view, lines) {
  const marks = lines
    .filter(({ line }) => line <= view.state.doc.lines)
    .map(({ line, message }) => {
      const { from, to } = view.state.doc.line(line);
      return { from, to, severity: "error", message };
    });
  view.dispatch(setDiagnostics(view.state, marks));
}

/** Moves the cursor to the start of a line (from 1) and shows it. */
export function goToLine(view, line) {
  const place = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines)).from;
  view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
  view.focus();
}
