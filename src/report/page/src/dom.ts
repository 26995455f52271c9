// Elements from data. Text only ever becomes text nodes, and there is no way to write markup or a style attribute here.

export type Child = Node | string | number | null | undefined | false | Child[];
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Value>;

const svg_namespace = "http://www.w3.org/2000/svg";

function append(parent: Node, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const part of child) append(parent, part);
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

function set(element: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value as EventListener);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
}

/** An HTML element. A function as value listens to the event of that name. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svg_namespace, tag);
  set(element, attributes);
  append(element, children);
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.textContent = "";
  append(parent, children);
}

/** A name of an equation or event; short ones stay on one line. */
export function name_of(text: string): HTMLElement {
  return el("span", { class: text.length <= 24 ? "name short" : "name" }, text);
}

/** A name that the user wrote, as it was written. */
export function code(text: string): HTMLElement {
  return el("code", { title: text.length > 28 ? text : null }, text);
}

/** Calls back with the width of an element, at first and whenever it changes. */
export function on_width(element: HTMLElement, callback: (width: number) => void): void {
  let last = -1;
  const look = () => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) callback((last = width));
  };
  new ResizeObserver(look).observe(element);
  look();
}
