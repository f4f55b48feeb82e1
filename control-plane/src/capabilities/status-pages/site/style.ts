import { BAR_RULES, CARD_RULES, pageStyle } from '../../../platform/pages/page-style.js';

export const STYLE = pageStyle(
  CARD_RULES,
  BAR_RULES,
  `header,main,footer{max-width:52rem;margin:0 auto;padding:0 var(--space-4)}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem}
.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
header{padding-top:var(--space-6)}
header p{margin:var(--space-2) 0 0;color:var(--soft)}
h1 a{color:inherit;text-decoration:none}
.banner img{display:block;max-width:100%;max-height:12rem;border-radius:var(--radius-m);margin-bottom:var(--space-5)}
.overall{display:flex;flex-wrap:wrap;align-items:center;gap:var(--space-1) var(--space-3);margin:var(--space-5) 0 var(--space-6);padding:var(--space-4) var(--space-5);border:1px solid;border-radius:var(--radius-m)}
.overall h2{flex:1;min-width:12rem;margin:0;font-size:var(--text-l);color:var(--ink)}
.overall>.mark{font-size:var(--text-l)}
${(['available', 'partial', 'unavailable', 'unknown', 'maintenance'] as const).map((state) => `.overall.${state}{background:var(--${state}-soft)}.${state}{color:var(--${state})}`).join('')}
.systems{list-style:none;margin:0}
.systems>li{padding:var(--space-4) 0;border-top:1px solid var(--line)}
.systems>li:first-child{padding-top:0;border-top:0}.systems>li:last-child{padding-bottom:0}
.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:var(--space-1) var(--space-4)}
.window{display:grid;grid-template-columns:8.5rem 1fr 4.5rem;align-items:center;gap:0 var(--space-4);margin-top:var(--space-2);color:var(--soft);font-size:var(--text-s)}
.window .bar{height:1.5rem;margin:0}.by-day .bar{mask:repeating-linear-gradient(90deg,#000 0 calc(100%/90 - 1px),#0000 0 calc(100%/90))}
.window strong{grid-column:3;text-align:right;color:var(--ink);font-weight:600;font-variant-numeric:tabular-nums}
.state{display:inline-flex;align-items:center;gap:.4em;font-size:var(--text-s);font-weight:600}
main>.post{margin-top:var(--space-5)}.post h2{margin:0}.post h3 a{color:inherit}.post .at{margin:var(--space-3) 0 0;padding-top:var(--space-3);border-top:1px solid var(--line)}.post strong{color:var(--ink)}
.days{list-style:none;margin:0;padding:0}
.days>li{display:grid;grid-template-columns:7rem 1fr;gap:0 var(--space-4);padding:var(--space-3) 0;border-top:1px solid var(--line)}
.days>li:first-child{padding-top:0;border-top:0}.days>li:last-child{padding-bottom:0}
.days h3{font-size:var(--text-s);font-weight:600}
.days ul{margin:0;padding:0;list-style:none}
table{border-collapse:collapse;margin-top:var(--space-2);font-variant-numeric:tabular-nums}th,td{text-align:left;padding:var(--space-1) var(--space-5) var(--space-1) 0;font-weight:400}th{color:var(--soft);font-size:var(--text-s)}
pre{overflow-x:auto;padding:var(--space-3);background:var(--sunken);border-radius:var(--radius-s)}
summary{cursor:pointer;margin-top:var(--space-3);font-size:var(--text-s)}
form{display:flex;flex-wrap:wrap;gap:var(--space-2);align-items:end}
form div{flex:1 1 16rem;max-width:24rem}
label{display:block;margin-bottom:var(--space-1);font-size:var(--text-s);font-weight:600}
input{width:100%}
footer{padding-top:var(--space-6);padding-bottom:var(--space-6);color:var(--soft);font-size:var(--text-s)}
@media (max-width:36rem){.window{grid-template-columns:1fr auto}.window .bar{grid-area:2/1/auto/span 2}.window strong{grid-column:2}.days>li{grid-template-columns:1fr}}
@media print{.subscribe,.skip{display:none}}
`,
);
