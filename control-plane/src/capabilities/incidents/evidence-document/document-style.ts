/** Colours pass WCAG 2.2 AA in both themes. No meaning depends on colour alone: a word, sign or pattern repeats it. */
export const DOCUMENT_STYLE = `
:root{color-scheme:light dark;--ink:#17212b;--soft:#52616f;--line:#c9d2db;--ground:#f4f6f9;--paper:#fff;--good:#1a7f4b;--warn:#a35200;--bad:#b3261e;--none:#5f6c78}
@media(prefers-color-scheme:dark){:root{--ink:#e9eef3;--soft:#a5b4c2;--line:#3a4855;--ground:#10161c;--paper:#18212a;--good:#4cc38a;--warn:#f0a35c;--bad:#ff8a80;--none:#93a1ae}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:52rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.25rem}
h1{font-size:1.7rem;line-height:1.2;margin:.25rem 0 .5rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0 0 .35rem}
h4{font-size:.95rem;margin:1rem 0 .25rem}
p{margin:.4rem 0}
.soft{color:var(--soft);font-size:.9rem}
.glance{padding:1rem 1.25rem;background:var(--paper);border:1px solid var(--line);border-left:.5rem solid var(--none);border-radius:.6rem}
.glance.bad{border-left-color:var(--bad)}.glance.warn{border-left-color:var(--warn)}.glance.good{border-left-color:var(--good)}
.lead{font-size:1.1rem}
.card{padding:1rem 1.25rem;margin:0 0 .75rem;background:var(--paper);border:1px solid var(--line);border-radius:.6rem}
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.15rem 1rem;margin:.75rem 0 0}
dt{color:var(--soft)}dd{margin:0}
table{border-collapse:collapse;width:100%}dl+table,table+table{margin-top:1rem}.regions th{white-space:nowrap}
caption{text-align:left;color:var(--soft);font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th,.state{font-weight:600}
.number{text-align:right;white-space:nowrap}
.failing{color:var(--bad)}.fine{color:var(--good)}.unknown{color:var(--none)}
.bar,.phases,.chart{display:block;width:100%;margin:.4rem 0}
.bar{height:1.6rem;background:var(--paper);border:1px solid var(--line)}
.phases{height:2rem;border:1px solid var(--ink)}
.chart{height:7rem}.ends{display:flex;justify-content:space-between}
.swatch{width:1.4rem;height:.9rem;margin-right:.5rem;border:1px solid var(--ink);vertical-align:middle}
path.available{fill:var(--good)}path.partial{fill:var(--warn)}path.unavailable{fill:var(--bad)}path.unknown{fill:var(--none)}
.curve{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
.during{fill:var(--bad);fill-opacity:.14;stroke:var(--bad);stroke-dasharray:4 3;vector-effect:non-scaling-stroke}
.rule{stroke:var(--line)}
.unseen{position:absolute}.segment{stroke:var(--ink);stroke-width:2;vector-effect:non-scaling-stroke}.tile{fill:var(--paper)}.mark{stroke:var(--ink);stroke-width:1.6;fill:none}.dot{fill:var(--ink)}
pre{margin:.4rem 0;padding:.6rem .75rem;background:var(--ground);border:1px solid var(--line);border-radius:.4rem;font:.85rem/1.45 ui-monospace,monospace;white-space:pre-wrap}
figure{margin:1rem 0 0;padding:0}figcaption{color:var(--soft);font-size:.9rem}
ol,ul{margin:.3rem 0;padding-left:1.25rem}ul.card{padding-left:2.25rem}
.timeline{list-style:none;padding:0}
.timeline li{display:grid;grid-template-columns:7rem 1fr;gap:0 1rem;padding:.3rem 0;border-bottom:1px solid var(--line)}
.timeline time{color:var(--soft);white-space:nowrap}
ins,del{display:block;text-decoration:none}ins{color:var(--good)}del{color:var(--bad)}
footer{padding:1.5rem 1rem 2rem;color:var(--soft);font-size:.9rem}
@media(max-width:30rem){dl,.timeline li{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}}
@media print{body{background:#fff}.card,.glance,tr,svg{break-inside:avoid}h2,h3{break-after:avoid}header,main,footer{max-width:none;padding:0}}
`;
