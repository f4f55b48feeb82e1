/**
 * Keeps an open page current: loads it again every ten seconds while it is visible, and replaces changed sections. Unfolded
 * parts and the focus stay, and a change of the overall status is announced to screen readers.
 */
export const LIVE_SCRIPT = `
(()=>{
const live=document.getElementById("live"),announcement=document.getElementById("announcement");
let busy=false;
async function look(){
if(busy||document.hidden)return;
busy=true;
try{
const answer=await fetch(location.pathname,{headers:{accept:"text/html"},cache:"no-cache"});
if(!answer.ok)return;
const page=new DOMParser().parseFromString(await answer.text(),"text/html"),next=page.getElementById("live");
if(!next)return;
for(const{id}of live.querySelectorAll("details[open]"))page.getElementById(id)?.setAttribute("open","");
const stops=()=>[...live.querySelectorAll("a,summary")],focused=document.activeElement,at=stops().indexOf(focused);
const now=[...live.children],then=[...next.children],changed=next.dataset.overall!==live.dataset.overall;
if(now.length!==then.length)live.replaceChildren(...then);
else now.forEach((one,i)=>{if(one.outerHTML!==then[i].outerHTML)one.replaceWith(then[i])});
if(at>=0&&!live.contains(focused))stops()[at]?.focus({preventScroll:true});
live.dataset.overall=next.dataset.overall;
document.title=page.title;
if(changed)announcement.textContent=live.querySelector("h2").textContent;
}catch{}finally{busy=false}
}
setInterval(look,10000);
document.addEventListener("visibilitychange",look);
})();
`;
