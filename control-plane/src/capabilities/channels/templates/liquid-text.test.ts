import { expect } from 'chai';
import { renderTemplate, templateFault } from './liquid-text.js';

const VARIABLES = { monitor: { name: 'Shop' }, incident: { regions: ['northeurope', 'eastus'] } };
const HOSTILE: Readonly<Record<string, string>> = {
  'a loop without end': '{% for i in (1..1000000000) %}x{% endfor %}',
  'a text that doubles': '{% assign a = "x" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
  'a list that doubles':
    '{% assign a = "ab" | split: "" %}{% for i in (1..60) %}{% assign a = a | concat: a %}{% endfor %}',
  'a wide date': '{{ "now" | date: "%999999999d%999999999d" }}',
  'filters of long lists':
    '{% assign a = (1..50000) | where_exp: "i", "i > 3" | where_exp: "i", "i > 3" | where_exp: "i", "i > 3" %}',
  'patterns on long texts':
    '{% capture a %}{% for i in (1..9000) %}<-{% endfor %}{% endcapture %}{% for i in (1..500) %}{{ a | strip_html | slugify }}{% endfor %}',
  'deep expressions': `{{ ${'a['.repeat(2_000)}${']'.repeat(2_000)} }}`,
  'deep tags': `${'{% if a %}'.repeat(360)}${'{% endif %}'.repeat(360)}`,
  'a table without end': '{% tablerow i in (1..1000000000) %}{% endtablerow %}',
};
/** Loops over a list make no more of it, so that no limit of memory ends them. */
const loops = (body: string) =>
  `{% assign a = "${','.repeat(2_000)}" | split: "" %}${'{% for i in a %}'.repeat(4)}${body}${'{% endfor %}'.repeat(4)}`;
const ENDLESS: Readonly<Record<string, string>> = {
  'loops in loops': loops(''),
  'comparisons in loops': loops('{% if i == "x" %}{{ i }}{% endif %}'),
};
const TOO_LONG = 'it takes too long';

describe('A template of messages', () => {
  it('is a Liquid text with the variables of the event', () => {
    const text = '{{ monitor.name | upcase }} from {{ incident.regions | join: " and " }}{{ incident.missing.field }}';
    expect(templateFault(text)).to.equal(null);
    expect(renderTemplate(text, VARIABLES)).to.deep.equal({ text: 'SHOP from northeurope and eastus' });
  });
  it('is refused with line and column where it does not parse', () => {
    expect(templateFault('One\n {% if %}')).to.equal(
      'is no Liquid text at line 2, column 7: invalid value expression: ""',
    );
    expect(templateFault('One\n{{ two')).to.equal('is no Liquid text at line 2, column 1: output "{{ two" not closed');
    expect(templateFault('{{ a | sha1000 }}')).to.equal(
      'is no Liquid text at line 1, column 1: undefined filter: sha1000',
    );
  });
  it('reads no other templates and nothing of the program', () => {
    for (const tag of ['{% include "x" %}', '{% render "x" %}', '{% layout "x" %}', '{% block x %}{% endblock %}'])
      expect(templateFault(tag), tag).to.include('not found');
    const text =
      '{{ monitor.constructor }}{{ monitor.__proto__ }}{{ monitor.toString }}{{ process.env }}{{ globalThis }}';
    expect(renderTemplate(text, VARIABLES)).to.deep.equal({ text: '' });
  });
  for (const [name, text] of Object.entries(HOSTILE))
    it(`costs little, and fails at most, with ${name}`, () => {
      const rendered = renderTemplate(text, VARIABLES);
      if ('text' in rendered) expect(rendered.text.length).to.be.lessThan(100_000);
      else expect(rendered.failure).to.be.oneOf([TOO_LONG, 'memory alloc limit exceeded']);
    });
  for (const [name, text] of Object.entries(ENDLESS))
    it(`is ended wherever it is, with ${name} that take hours`, () => {
      expect(renderTemplate(text, VARIABLES)).to.deep.equal({ failure: TOO_LONG });
    });
});
