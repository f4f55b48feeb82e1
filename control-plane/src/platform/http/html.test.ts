import { expect } from 'chai';
import fc from 'fast-check';
import { Html, html } from './html.js';

describe('A page of the embedded provider', () => {
  it('never lets a value become markup', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const { text } = html`<p title="${value}">${value}</p>`;
        const inner = text.slice('<p title="'.length, -'</p>'.length);
        expect(inner.replace('">', '')).to.not.match(/[<>"']/);
      }),
    );
  });

  it('keeps what is markup already, and lists of it', () => {
    expect(html`${new Html('<b>')}${[html`${'&'}`, html`<i>`]}${null}${false}`.text).to.equal('<b>&amp;<i>');
  });

  it('has no indentation of its template, and keeps all blanks and line breaks of its values', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\n', ' ', '\t', '>', '<', 'a')), (parts) => {
        const value = parts.join('');
        const { text } = html`<div>
          <pre>${new Html(value)}</pre>
        </div>`;
        expect(text).to.equal(`<div> <pre>${value}</pre> </div>`);
      }),
    );
  });
});
