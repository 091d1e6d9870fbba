//! How the page looks: in the light, in the dark, on small screens and on paper.

pub(super) const STYLE: &str = "
:root{color-scheme:light dark;--back:#fff;--text:#1a1a1a;--dim:#57606a;--line:#d0d7de;--box:#f6f8fa;--link:#0550ae;--red:#a40e26;--redback:#ffebe9;
--green:#116329;--greenback:#dafbe1;--yellow:#7a4e00;--yellowback:#fff8c5;--target:#fff3a3}
@media screen and (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--dim:#9aa4af;--line:#30363d;--box:#161b22;--link:#79b8ff;--red:#ff9a93;
--redback:#3c1618;--green:#7ee2a0;--greenback:#12301c;--yellow:#e9c46a;--yellowback:#332a0a;--target:#4d4000}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);margin:0 auto;max-width:88rem;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.25rem;margin:2rem 0 .6rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{font-size:1.05rem;margin:1.2rem 0 .4rem}h4{font-size:.95rem;margin:.8rem 0 .2rem}h5{font-size:.85rem;margin:0;text-transform:uppercase;color:var(--dim)}
a{color:var(--link)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,.lines{font-family:ui-monospace,monospace;font-size:.875em}
small{font-weight:normal;color:var(--dim)}
nav a{display:inline-block;margin:.2rem .8rem .2rem 0}
.whole{border-left:.4rem solid var(--line);padding:.4rem .8rem;background:var(--box)}
.whole.differs{border-color:var(--red)}.whole.undecided{border-color:var(--yellow)}.whole.same,.whole.same-within-bounds{border-color:var(--green)}
.gate,.remark,.more,.gap,.place{color:var(--dim)}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;margin:.6rem 0}.counts div{border:1px solid var(--line);border-radius:.4rem;padding:.2rem .7rem;background:var(--box)}
.counts dt{color:var(--dim);font-size:.8rem}.counts dd{margin:0;font-weight:bold;font-size:1.1rem}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
#summary table{overflow-wrap:normal}#summary td:first-child{white-space:nowrap}.why{min-width:14rem;overflow-wrap:anywhere}.over{font-size:.9rem;color:var(--dim)}
tr.differs>td:first-child,article.differs>h3>.sign{color:var(--red);font-weight:bold}
tr.undecided>td:first-child,article.undecided>h3>.sign{color:var(--yellow);font-weight:bold}
tr.same>td:first-child,article.same>h3>.sign{color:var(--green);font-weight:bold}
.sign{display:inline-block;min-width:1.2em;text-align:center}
article{border:1px solid var(--line);border-radius:.4rem;padding:.2rem 1rem .8rem;margin:1rem 0}
article:target,h3:target{background:var(--target)}
.finding{border-top:1px solid var(--line);margin-top:.6rem;padding-top:.2rem}.finding p,.path p{margin:.4rem 0}
.sides{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:.8rem}
@media (max-width:760px){.sides{grid-template-columns:minmax(0,1fr)}#summary table,#summary tbody,#summary tr,#summary td{display:block;width:100%}#summary thead{display:none}#summary td{border:0;padding:.1rem .3rem}#summary tr{border-bottom:1px solid var(--line);padding:.3rem 0}body{padding:.6rem}article{padding:.2rem .6rem .6rem}}
.side{border:1px solid var(--line);border-radius:.3rem;padding:.4rem .7rem;background:var(--box)}
.side.old .does{border-left:.25rem solid var(--red);padding-left:.5rem}.side.new .does{border-left:.25rem solid var(--green);padding-left:.5rem}
.steps{margin:.3rem 0;padding-left:1.6rem}.steps li{margin:.15rem 0}.steps .source{color:var(--dim);margin-right:.6rem}
.steps .apart .value{background:var(--yellowback);color:var(--yellow);padding:0 .2rem}.steps .end .value{font-weight:bold}
.star{color:var(--red);font-weight:bold}
details{margin:.6rem 0}summary{cursor:pointer;padding:.2rem 0}
.path{border-left:.2rem solid var(--line);padding-left:.7rem;margin:.6rem 0}
.code{border:1px solid var(--line);border-radius:.4rem}
.lines td{border:0;padding:0 .5rem;white-space:pre;overflow-wrap:normal;tab-size:4}
.lines .number{color:var(--dim);text-align:right;user-select:none;width:1%}.lines .mark{width:1%;color:var(--dim)}
.lines .gap td{background:var(--box);padding:.2rem .6rem}
.added,.lines .added td{background:var(--greenback)}.removed,.lines .removed td{background:var(--redback)}
.affected .mark,.legend .affected{color:var(--yellow)}.lines .affected .text{box-shadow:inset .25rem 0 var(--yellow)}
.lines .number:target{background:var(--target);color:var(--text);font-weight:bold}.lines tr:has(:target) td{background:var(--target)}
.legend span{padding:.1rem .5rem;margin-right:.5rem;border-radius:.3rem}
.calls{max-width:none;font:13px system-ui,sans-serif}.calls text{text-anchor:middle;fill:var(--text)}.calls .small{font-size:11px;fill:var(--dim)}
.calls rect{fill:var(--box);stroke:var(--dim)}.calls .changed rect{fill:var(--yellowback);stroke:var(--yellow);stroke-width:2}
.calls .edge{fill:none;stroke:var(--dim);stroke-dasharray:3 3}.calls .carries{stroke:var(--yellow);stroke-width:2;stroke-dasharray:none}.calls marker path{fill:var(--dim)}
@media print{:root{color-scheme:light}body{max-width:none;font-size:11px}nav{display:none}.scroll{overflow:visible}.lines td{white-space:pre-wrap;overflow-wrap:anywhere}
article,.side,tr{break-inside:avoid-page}details::details-content{content-visibility:visible;display:block;height:auto}a{color:inherit;text-decoration:none}}
";
