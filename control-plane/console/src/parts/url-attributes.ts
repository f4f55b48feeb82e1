/** Of an input into which a URL, or the host of one, is pasted. */
export const URL_ATTRIBUTES = {
  class: 'input',
  // Not `url`, which wants a scheme.
  type: 'text',
  inputMode: 'url',
  placeholder: 'https://example.com',
  autocomplete: 'url',
  autocapitalize: 'off',
  spellcheck: false,
} as const;
