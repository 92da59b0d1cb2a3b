// How formulas look: the interface's own variables, so that light and dark follow by themselves.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': { fontSize: '11.5px', backgroundColor: 'transparent', color: 'var(--h-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': {
    fontFamily: 'var(--h-mono)',
    fontFeatureSettings: '"calt" 0, "liga" 0',
    padding: '3px 0',
    caretColor: 'var(--h-text)',
    lineHeight: '18px',
  },
  '.cm-line': { padding: '0 7px' },
  '.cm-placeholder': { color: 'var(--h-faint)', fontFamily: 'var(--h-font)', fontSize: '12px' },
  '.cm-cursor': { borderLeftColor: 'var(--h-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--h-accent) 26%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--h-accent) 18%, transparent)', outline: 'none' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--h-bad)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--h-warn)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--h-line)',
    borderRadius: '8px',
    backgroundColor: 'var(--h-raised)',
    color: 'var(--h-text)',
    boxShadow: 'var(--h-shadow-large)',
    fontFamily: 'var(--h-font)',
    fontSize: '12.5px',
    overflow: 'hidden',
    zIndex: '1200',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--h-mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--h-accent-soft)', color: 'var(--h-text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'baseline',
    gap: '2px',
    maxWidth: '440px',
    padding: '3px 8px',
  },
  '.cm-completionDetail': { color: 'var(--h-faint)', fontStyle: 'normal', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--h-accent-text)' },
  '.cm-tooltip .cm-completionInfo': { maxWidth: '320px', padding: '8px 10px' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftWidth: '3px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--h-bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--h-warn)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--h-accent)',
    color: 'var(--h-on-accent)',
    borderRadius: '4px',
    padding: '2px 8px',
    marginTop: '4px',
  },
})

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--h-code-keyword)', fontWeight: '500' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--h-code-number)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--h-code-string)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--h-code-function)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--h-faint)', fontStyle: 'italic' },
  { tag: [tags.propertyName], color: 'var(--h-code-property)' },
  { tag: tags.invalid, color: 'var(--h-bad)' },
])

export const codeTheme: Extension = [look, syntaxHighlighting(colors)]
