/**
 * Keeps an open page current: asks for it again every ten seconds while somebody looks, and puts the new content in
 * place. What was unfolded stays unfolded, and a change of the overall status is said to screen readers.
 */
export const LIVE_SCRIPT = `
(()=>{
const live=document.getElementById("live"),said=document.getElementById("said");
let busy=false;
async function look(){
if(busy||document.hidden)return;
busy=true;
try{
const answer=await fetch(location.pathname,{headers:{accept:"text/html"},cache:"no-cache"});
if(!answer.ok)return;
const page=new DOMParser().parseFromString(await answer.text(),"text/html"),next=page.getElementById("live");
if(!next||next.innerHTML===live.innerHTML)return;
const open=[...live.querySelectorAll("details[open]")].map(one=>one.id),changed=next.dataset.overall!==live.dataset.overall;
live.innerHTML=next.innerHTML;
live.dataset.overall=next.dataset.overall;
for(const id of open)document.getElementById(id)?.setAttribute("open","");
document.title=page.title;
if(changed)said.textContent=live.querySelector("h2").textContent;
}catch{}finally{busy=false}
}
setInterval(look,10000);
document.addEventListener("visibilitychange",look);
})();
`;
