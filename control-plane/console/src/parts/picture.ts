const NAMESPACE = 'http://www.w3.org/2000/svg';
/** The properties of shapes and texts that the style sheet sets. */
const LOOKS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'vector-effect',
];
const MARGIN = 12;
/** A picture has so many pixels for each of the screen. */
const SCALE = 2;
/** They are no part of the picture. */
const LEFT_OUT = 'button, .unseen, .tip';

/** Turns the drawings and texts of a frame into an SVG document that needs no style sheet. */
export function pictureOf(frame: HTMLElement): string {
  const box = frame.getBoundingClientRect();
  const [width, height] = [box.width + 2 * MARGIN, box.height + 2 * MARGIN];
  const root = document.createElementNS(NAMESPACE, 'svg');
  setAll(root, { xmlns: NAMESPACE, width, height, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}` });
  const paper = document.createElementNS(NAMESPACE, 'rect');
  setAll(paper, { x: -MARGIN, y: -MARGIN, width, height, fill: paperOf(frame) });
  root.append(paper);
  for (const pattern of document.querySelectorAll<SVGElement>('pattern')) root.append(styled(pattern));
  for (const drawing of frame.querySelectorAll('svg')) {
    const { left, top, width: wide, height: high } = drawing.getBoundingClientRect();
    if (wide === 0 || drawing.closest(LEFT_OUT)) continue;
    const copy = styled(drawing);
    setAll(copy, { x: left - box.left, y: top - box.top, width: wide, height: high, overflow: 'visible' });
    root.append(copy);
  }
  const texts = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const parent = node.parentElement!;
    if (!node.textContent?.trim() || parent.closest(`svg, ${LEFT_OUT}`)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, bottom, height: high } = range.getBoundingClientRect();
    if (high === 0) continue;
    const text = document.createElementNS(NAMESPACE, 'text');
    const look = getComputedStyle(parent);
    // The line below the letters is about a quarter of their height up.
    setAll(text, { x: left - box.left, y: bottom - box.top - high / 4, fill: look.color });
    for (const name of ['font-family', 'font-size', 'font-weight'])
      text.setAttribute(name, look.getPropertyValue(name));
    text.textContent = node.textContent;
    root.append(text);
  }
  return new XMLSerializer().serializeToString(root);
}

export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The picture is too large.')) : resolve(blob)));
  });
}

/** A copy that has the look of the original in itself. */
function styled<Drawn extends SVGElement>(original: Drawn): Drawn {
  const copy = original.cloneNode(true) as Drawn;
  const all = [original, ...original.querySelectorAll('*')];
  for (const [index, each] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const look = getComputedStyle(all[index]!);
    for (const name of LOOKS) each.setAttribute(name, look.getPropertyValue(name));
    for (const name of ['class', 'style']) each.removeAttribute(name);
  }
  return copy;
}

function paperOf(frame: HTMLElement): string {
  for (let each: HTMLElement | null = frame; each !== null; each = each.parentElement) {
    const { backgroundColor } = getComputedStyle(each);
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
  }
  return 'white';
}

function setAll(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
