import { PHASE_RULES } from '@watchpost/shared/design/phases';
import { BAR_RULES, CARD_RULES, pageStyle } from '../../../platform/pages/page-style.js';

export const STYLE = pageStyle(
  CARD_RULES,
  BAR_RULES,
  PHASE_RULES,
  `header,main,footer{max-width:52rem;margin:0 auto;padding:0 var(--space-4)}
header{padding-top:var(--space-5)}
header p{margin:0 0 var(--space-1)}
.card h3:not(:first-child){margin-top:var(--space-4)}
h4{margin:var(--space-4) 0 var(--space-1);font-size:var(--text-s)}
.glance{margin-top:var(--space-4);padding:var(--space-4) var(--space-5);border:1px solid;border-radius:var(--radius-m)}
.glance.unavailable{border-color:var(--unavailable);background:var(--unavailable-soft)}.glance.partial{border-color:var(--partial);background:var(--partial-soft)}.glance.available{border-color:var(--available);background:var(--available-soft)}
.state.unavailable{color:var(--unavailable)}.state.partial{color:var(--partial)}.state.available{color:var(--available)}
.lead{margin:0 0 var(--space-2);font-size:var(--text-l)}
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:var(--space-1) var(--space-4);margin:var(--space-3) 0 0;font-size:var(--text-s)}
dt{color:var(--soft)}dd{margin:0}
table{border-collapse:collapse;width:100%;font-size:var(--text-s)}dl+table,table+table{margin-top:var(--space-4)}.regions th{white-space:nowrap}
caption{text-align:left;color:var(--soft);padding-bottom:var(--space-1)}
th,td{text-align:left;vertical-align:top;padding:var(--space-1) var(--space-3) var(--space-1) 0;border-bottom:1px solid var(--line);font-weight:400}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600}
.state{font-weight:600}.state .mark{vertical-align:-.12em;margin-right:.4em}
.state+.soft{margin-left:.5em}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.failing{color:var(--unavailable)}.fine{color:var(--available)}.unknown{color:var(--unknown)}.past{color:var(--soft)}
.phases,.chart{display:block;width:100%;margin:var(--space-2) 0}
.phases{height:1.25rem;border-radius:var(--radius-s)}.phases rect{stroke:var(--paper);vector-effect:non-scaling-stroke}
.chart{height:7rem}
.swatch{width:1.4rem;height:.9rem;margin-right:.5rem;border-radius:2px;vertical-align:middle}
.curve{fill:none;stroke:var(--accent);stroke-width:2;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
.during{fill:var(--unavailable-fill);fill-opacity:.14;stroke:var(--unavailable-fill);stroke-dasharray:4 3;vector-effect:non-scaling-stroke}
.rule{stroke:var(--line)}
pre{margin:var(--space-2) 0;padding:var(--space-3);background:var(--sunken);border-radius:var(--radius-s);font:var(--text-xs)/var(--leading) var(--mono);white-space:pre-wrap}
figure{margin:var(--space-4) 0 0;padding:0}figcaption{color:var(--soft);font-size:var(--text-s)}
ol,ul{margin:var(--space-1) 0;padding-left:1.25rem}ul.card{padding-left:2.25rem}ul.legend{padding:0}
.timeline{list-style:none;padding:0;font-size:var(--text-s)}
.timeline li{display:grid;grid-template-columns:7rem 1fr;gap:0 var(--space-4);padding:var(--space-1) 0;border-bottom:1px solid var(--line)}
.timeline time{color:var(--soft);font-variant-numeric:tabular-nums}
ins,del{display:block;text-decoration:none}ins{color:var(--available)}del{color:var(--unavailable)}
footer{padding-top:var(--space-5);padding-bottom:var(--space-6);color:var(--soft);font-size:var(--text-s)}
@media (max-width:30rem){dl,.timeline li{grid-template-columns:1fr;gap:0}dd{margin-bottom:var(--space-2)}.glance{padding:var(--space-4)}}
@media print{.glance,tr,svg{break-inside:avoid}h2,h3{break-after:avoid}header,main,footer{max-width:none;padding:0}}
`,
);
