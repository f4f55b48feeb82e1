/** Self-contained, for screens and paper. */
export const REPORT_STYLE = `
:root{color-scheme:light;--ink:#17212b;--soft:#52616f;--line:#c9d2db;--good:#1a7f4b;--warn:#a35200;--bad:#b3261e;--none:#6b7884}
*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:1.5rem;color:var(--ink);background:#fff;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.25rem 0 .25rem}
.soft{color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
caption{text-align:left;color:var(--soft);font-size:.9rem}
th,td{text-align:right;padding:.3rem .6rem;border-bottom:1px solid var(--line);font-weight:400;white-space:nowrap}
th:first-child,td:first-child,.left th,.left td{text-align:left}
thead th{font-weight:600}
.left td:last-child{white-space:normal}
.bar{display:block;width:100%;height:2rem;margin:.5rem 0;border:1px solid var(--line)}
path.available{fill:var(--good)}path.partial{fill:var(--warn)}path.unavailable{fill:var(--bad)}path.unknown{fill:var(--none)}
.chart{display:block;width:100%;height:auto}
.grid{stroke:#d9e0e7}.axis{font:11px system-ui,sans-serif;fill:var(--soft)}
.line{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:.25rem 0}
@media print{body{padding:0;max-width:none}h2,h3{break-after:avoid}tr,.chart,.bar{break-inside:avoid}section{break-before:auto}a{color:inherit}}
`;
