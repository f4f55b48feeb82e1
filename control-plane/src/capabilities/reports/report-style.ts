import { BAR_RULES, pageStyle } from '../../platform/pages/page-style.js';

/** For screens and paper. */
export const STYLE = pageStyle(
  BAR_RULES,
  `body{max-width:56rem;margin:0 auto;padding:var(--space-6) var(--space-5);background:var(--paper)}
h2{margin-top:var(--space-7);padding-bottom:var(--space-2);border-bottom:1px solid var(--line)}
h3{margin:var(--space-5) 0 var(--space-2)}
.brand{display:flex;align-items:center;gap:var(--space-2);margin:0 0 var(--space-5);font-weight:600}.sign{width:1.4rem;color:var(--accent)}
.url{color:var(--soft);font-size:var(--text-s)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:var(--space-3);margin:var(--space-4) 0;padding:0;list-style:none}
.figures li{padding:var(--space-3) var(--space-4);border:1px solid var(--line);border-radius:var(--radius-m)}
.figures strong{display:block;white-space:nowrap;font-size:var(--text-l);letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.figures span{color:var(--soft);font-size:var(--text-s)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:var(--text-s);font-variant-numeric:tabular-nums}
caption{padding-top:var(--space-3);text-align:left;color:var(--soft);padding-bottom:var(--space-1)}
th,td{text-align:right;padding:var(--space-2) var(--space-3);border-bottom:1px solid var(--line);font-weight:400;white-space:nowrap}
th:first-child,td:first-child,.left th,.left td{text-align:left;padding-left:0}
thead th{color:var(--soft);font-weight:600}
.left td:last-child{white-space:normal;min-width:14rem}
.chart{display:block;width:100%;min-width:42rem;height:auto}
.during{fill:var(--unavailable-fill);fill-opacity:.16}.grid{stroke:var(--line)}.axis{font:13px var(--sans);fill:var(--soft)}
.line{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.l0{stroke:var(--series-1)}.l1{stroke:var(--series-2)}.l2{stroke:var(--series-3)}.l3{stroke:var(--series-4)}.l4{stroke:var(--series-5)}.l5{stroke:var(--series-6)}.l6{stroke:var(--series-7)}.l7{stroke:var(--series-8)}
@media (max-width:36rem){body{padding:var(--space-5) var(--space-4)}.figures{gap:var(--space-2)}.figures li{padding:var(--space-3)}}
@media print{body{padding:0;max-width:none}h2,h3{break-after:avoid}tr,.chart,.bar,.figures li{break-inside:avoid}a{color:inherit}}
`,
);
