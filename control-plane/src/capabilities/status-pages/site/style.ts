/**
 * Colours pass WCAG 2.2 AA in both themes; bars differ in shape, too. The class names of statuses are those of the data.
 */
export const STYLE = `
:root{color-scheme:light dark;--ink:#17212b;--soft:#52616f;--line:#d3dbe3;--ground:#f4f6f9;--paper:#fff;--accent:#0a5cad;--good:#1a7f4b;--warn:#a35200;--bad:#b3261e;--calm:#5a5f9e;--none:#6b7884}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--ink:#e9eef3;--soft:#a5b4c2;--line:#35424f;--ground:#10161c;--paper:#18212a;--accent:#74b8ff;--good:#4cc38a;--warn:#f0a35c;--bad:#ff8a80;--calm:#a9aef5;--none:#93a1ae}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;--ink:#e9eef3;--soft:#a5b4c2;--line:#35424f;--ground:#10161c;--paper:#18212a;--accent:#74b8ff;--good:#4cc38a;--warn:#f0a35c;--bad:#ff8a80;--calm:#a9aef5;--none:#93a1ae}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem}
header,main,footer{max-width:52rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
.banner img{display:block;max-width:100%;max-height:12rem;border-radius:.5rem;margin-bottom:1rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0}
p{margin:.4rem 0}
.soft{color:var(--soft);font-size:.9rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.overall{margin:1rem 0;padding:1rem 1.25rem;border-radius:.6rem;background:var(--paper);border:1px solid var(--line);border-left:.5rem solid}
.overall h2{margin:0;font-size:1.3rem}
.card,.systems{list-style:none;margin:0;padding:0;background:var(--paper);border:1px solid var(--line);border-radius:.6rem}
.card{padding:1rem 1.25rem;margin-bottom:.75rem}
.systems>li{padding:.9rem 1.25rem;border-top:1px solid var(--line)}
.systems>li:first-child{border-top:0}
.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem}
.state{font-weight:600}
.state::before{content:"";display:inline-block;width:.7em;height:.7em;margin-right:.4em;border-radius:50%;background:currentColor}
.operational{color:var(--good)}.degraded,.partialOutage{color:var(--warn)}.majorOutage{color:var(--bad)}.maintenance{color:var(--calm)}.unknown{color:var(--none)}
.overall.operational{border-left-color:var(--good)}
.bar{display:block;width:100%;height:1.6rem;margin-top:.5rem;background:var(--ground);border-radius:.2rem}
path.available{fill:var(--good)}path.partial{fill:var(--warn)}path.unavailable{fill:var(--bad)}path.unknown{fill:var(--none)}
.days path{stroke-dasharray:10 2}.days .available{stroke:var(--good);stroke-width:24}.days .unknown{stroke:var(--none);stroke-width:4}
.ends{display:flex;justify-content:space-between}
table{border-collapse:collapse;margin-top:.5rem}th,td{text-align:left;padding:.15rem 1.5rem .15rem 0;font-weight:400}
pre{overflow-x:auto}
summary{cursor:pointer}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
label{display:block;font-weight:600}
input{font:inherit;padding:.55rem .7rem;border:1px solid var(--soft);border-radius:.4rem;background:transparent;color:inherit;min-width:16rem;max-width:100%}
button{font:inherit;font-weight:600;padding:.55rem 1.1rem;border:1px solid var(--accent);border-radius:.4rem;background:var(--accent);color:var(--paper);cursor:pointer}
footer{padding:2rem 1rem;color:var(--soft);font-size:.9rem}
@media print{.subscribe,.skip{display:none}body{background:#fff}}
`;
