/**
 * Checks that run in the page: cut and covered text, small targets, focus. Each function is sent to
 * the page as its source text, so it may use nothing from outside but `seen`, which {@link prepare}
 * puts there.
 */

interface Seen {
  /**
   * Every visible element, through all shadow roots: of the dialog or menu in front if there is
   * one, else of the page.
   */
  elements(): Element[];
  /** The parent in the tree as it is drawn: slots and shadow hosts included. */
  above(element: Element): Element | null;
  /** Names an element for a message: element, class and words. */
  named(element: Element): string;
}
declare const seen: Seen;

/** Once for each document. */
export function prepare(): void {
  const hostOf = (root: Node): Element | null => (root instanceof ShadowRoot ? root.host : null);
  const above = (element: Element): Element | null =>
    element.assignedSlot ?? element.parentElement ?? hostOf(element.getRootNode());
  const below = (element: Element): Element[] =>
    element instanceof HTMLSlotElement && element.assignedElements().length > 0
      ? element.assignedElements()
      : [...(element.shadowRoot ?? element).children];
  const all = (element: Element): Element[] => [element, ...below(element).flatMap(all)];
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert], .visually-hidden') === null &&
    getComputedStyle(element).opacity !== '0';
  Object.assign(globalThis, {
    seen: {
      elements() {
        const every = all(document.body);
        const front = every.findLast((element) => element.matches(':modal, [role="menu"]'));
        return (front === undefined ? every : all(front)).filter(isVisible);
      },
      above,
      named: (element) => {
        const words = (element.getAttribute('aria-label') ?? element.textContent ?? '')
          .trim()
          .replace(/\s+/g, ' ')
          .slice(0, 50);
        const host = (element.getRootNode() as ShadowRoot).host;
        const type = element instanceof HTMLInputElement ? `[${element.type}]` : '';
        const id = element.id === '' ? '' : `#${element.id}`;
        const className =
          typeof element.className === 'string' && element.className !== ''
            ? `.${element.className.split(/\s+/)[0]}`
            : '';
        return `${host === undefined ? '' : `${host.localName} `}${element.localName}${type}${id}${className} "${words}"`;
      },
    } satisfies Seen,
  });
}

/** Pictures in another shape than their own: a code that is stretched is hard to scan. */
export function stretchedPictures(): string[] {
  const images = seen
    .elements()
    .filter(
      (element) => element instanceof HTMLImageElement && element.naturalHeight > 0,
    ) as HTMLImageElement[];
  const stretched = images.filter((image) => {
    const { objectFit, paddingLeft, paddingRight, paddingTop, paddingBottom } =
      getComputedStyle(image);
    const width =
      image.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const height =
      image.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
    return (
      objectFit === 'fill' &&
      Math.abs((width * image.naturalHeight) / (height * image.naturalWidth) - 1) > 0.02
    );
  });
  return stretched.map((image) => `stretched: ${seen.named(image)}`);
}

/**
 * Texts that are cut off wherever one scrolls, and texts that something covers. @param sideways
 * report also what has to be scrolled sideways
 */
export function cutTexts(sideways: boolean): string[] {
  type Box = { left: number; right: number; top: number; bottom: number };
  const faults = new Set<string>();
  const elements = seen.elements();
  const viewport: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const root = document.scrollingElement as HTMLElement;
  const [html, body] = [
    getComputedStyle(document.documentElement),
    getComputedStyle(document.body),
  ];
  // The root's overflow applies to the viewport, or the body's where the root has none.
  const mayScroll = (ofRoot: string, ofBody: string): boolean =>
    !/hidden|clip/.test(ofRoot === 'visible' ? ofBody : ofRoot);
  const documentScrolls = {
    x: mayScroll(html.overflowX, body.overflowX) && root.scrollWidth > root.clientWidth,
    y: mayScroll(html.overflowY, body.overflowY) && root.scrollHeight > root.clientHeight,
  };
  if (sideways && documentScrolls.x) faults.add('scrolls sideways: the page');
  const paddingBox = (element: Element): Box => {
    const { left, top } = element.getBoundingClientRect();
    const x = left + element.clientLeft;
    const y = top + element.clientTop;
    return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
  };
  /** The visible part of the box; 'later': visible after scrolling; 'cut': never. */
  const visibility = (start: Box, from: Element): Box | 'cut' | 'later' => {
    let box = start;
    let visible: Box = start;
    // A line is higher than its letters.
    const slack = Math.max(2, (start.bottom - start.top) * 0.3);
    const isOut = (inner: Box, outer: Box, axis: 'x' | 'y'): boolean =>
      axis === 'x'
        ? inner.left < outer.left - 1.5 || inner.right > outer.right + 1.5
        : inner.top < outer.top - slack || inner.bottom > outer.bottom + slack;
    let isFixed = false;
    for (
      let element: Element | null = from;
      element !== null && element !== document.documentElement && element !== document.body;
      element = seen.above(element)
    ) {
      const style = getComputedStyle(element);
      if (style.display !== 'contents' && style.display !== 'inline') {
        const outer = paddingBox(element);
        for (const axis of ['x', 'y'] as const) {
          const overflow = axis === 'x' ? style.overflowX : style.overflowY;
          if (overflow === 'visible') continue;
          const scrolls =
            (overflow === 'auto' || overflow === 'scroll') &&
            (axis === 'x'
              ? element.scrollWidth > element.clientWidth
              : element.scrollHeight > element.clientHeight);
          if (scrolls) {
            const isBefore =
              axis === 'x'
                ? box.left + element.scrollLeft < outer.left - 1.5
                : box.top + element.scrollTop < outer.top - slack;
            if (isBefore) return 'cut';
            visible = {
              left: Math.max(visible.left, outer.left),
              right: Math.min(visible.right, outer.right),
              top: Math.max(visible.top, outer.top),
              bottom: Math.min(visible.bottom, outer.bottom),
            };
            box =
              axis === 'x'
                ? { ...box, left: outer.left, right: outer.right }
                : { ...box, top: outer.top, bottom: outer.bottom };
          } else if (isOut(box, outer, axis)) return 'cut';
        }
      }
      if (style.position === 'fixed' || element.matches(':modal')) {
        isFixed = true;
        break;
      }
    }
    for (const axis of ['x', 'y'] as const) {
      if (!isFixed && documentScrolls[axis]) continue;
      if (isOut(box, viewport, axis)) return 'cut';
    }
    const inSight = {
      left: Math.max(visible.left, 0),
      right: Math.min(visible.right, innerWidth),
      top: Math.max(visible.top, 0),
      bottom: Math.min(visible.bottom, innerHeight),
    };
    return inSight.right - inSight.left < 2 || inSight.bottom - inSight.top < 2 ? 'later' : inSight;
  };
  const within = (inner: Element, outer: Element): boolean => {
    for (let element: Element | null = inner; element !== null; element = seen.above(element))
      if (element === outer) return true;
    return false;
  };
  const onTop = (x: number, y: number): Element | null => {
    let element = document.elementFromPoint(x, y);
    while (element?.shadowRoot != null) {
      const inner = element.shadowRoot.elementFromPoint(x, y);
      if (inner === null || inner === element) break;
      element = inner;
    }
    return element;
  };
  const width = (text: string, style: CSSStyleDeclaration): number => {
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.font = style.font;
    return context.measureText(text).width;
  };
  for (const element of elements) {
    const scrollsSideways =
      element.scrollWidth > element.clientWidth + 1 &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    if (sideways && scrollsSideways && !element.matches('input, textarea'))
      faults.add(`scrolls sideways: ${seen.named(element)}`);
    if (element instanceof HTMLSelectElement || element instanceof HTMLInputElement) {
      const style = getComputedStyle(element);
      const room =
        element.clientWidth -
        Number.parseFloat(style.paddingLeft) -
        Number.parseFloat(style.paddingRight);
      const text =
        element instanceof HTMLSelectElement
          ? (element.selectedOptions[0]?.text ?? '')
          : element.value === ''
            ? element.placeholder
            : '';
      if (text !== '' && width(text, style) > room + 1)
        faults.add(`cut: ${text} in ${seen.named(element)}`);
      continue;
    }
    for (const node of (element.shadowRoot ?? element).childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === '') continue;
      if (
        element.shadowRoot !== null ||
        element.localName === 'option' ||
        element.localName === 'title'
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        if (rect.width < 1 || rect.height < 1) continue;
        const inSight = visibility(rect, element);
        const words = `"${node.textContent?.trim().replace(/\s+/g, ' ').slice(0, 60)}" in ${seen.named(element)}`;
        if (inSight === 'cut') faults.add(`cut: ${words}`);
        if (typeof inSight === 'string') continue;
        const hit = onTop((inSight.left + inSight.right) / 2, (inSight.top + inSight.bottom) / 2);
        // A toast goes by itself: what it covers can be read again.
        const isToast = hit?.closest('.toasts') != null;
        if (hit !== null && !isToast && !within(hit, element) && !within(element, hit))
          faults.add(`covered: ${words} by ${seen.named(hit)}`);
      }
    }
  }
  return [...faults];
}

/** Controls that are smaller than 48 by 48 CSS pixels. */
export function smallTargets(): string[] {
  const operable =
    'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="option"], [role="radio"], [role="menuitemradio"], [role="switch"], [tabindex="0"]';
  const least = 47.5;
  return seen
    .elements()
    .filter((element) => element.matches(operable))
    .flatMap((element) => {
      const label = element.matches('[type="radio"], [type="checkbox"]')
        ? element.closest('label')
        : null;
      const { width, height } = (label ?? element).getBoundingClientRect();
      return width < least || height < least
        ? [`${Math.round(width)}×${Math.round(height)}: ${seen.named(element)}`]
        : [];
    });
}

/**
 * The names of all controls that Tab has to reach, kept in the page for {@link onFocus}. A group of
 * radio buttons counts once.
 */
export function tabStops(): string[] {
  const focusable =
    'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]';
  const groups = new Set<string>();
  const stops = seen.elements().filter((element) => {
    if (!element.matches(focusable) || (element as HTMLElement).tabIndex < 0) return false;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    const isFirst = !groups.has(element.name);
    groups.add(element.name);
    return isFirst;
  });
  Object.assign(globalThis, { stops });
  return stops.map((element) => seen.named(element));
}

/**
 * The index of the stop that has the focus, -1 when none has, and what is wrong with its focus
 * ring; null when nothing is.
 */
export function onFocus(): { stop: number; wrong: string | null } {
  const stops = (globalThis as unknown as { stops: Element[] }).stops;
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body) return { stop: -1, wrong: null };
  const isRadio = element instanceof HTMLInputElement && element.type === 'radio';
  const name = isRadio ? (element as HTMLInputElement).name : null;
  const stop = stops.findIndex(
    (one) =>
      one === element ||
      (name !== null &&
        one instanceof HTMLInputElement &&
        one.type === 'radio' &&
        one.name === name),
  );
  const isOutlined = (one: Element, pseudo?: string): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudo);
    return (
      outlineStyle === 'auto' || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2)
    );
  };
  const label = element.closest('label');
  const around = [
    element,
    ...(label === null ? [] : [label, ...label.querySelectorAll('*')]),
    seen.above(element),
    ...element.querySelectorAll('*'),
    ...(element.shadowRoot?.querySelectorAll('*') ?? []),
  ];
  const box = element.getBoundingClientRect();
  const isInSight =
    box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  if (!isInSight) return { stop, wrong: `focus out of sight: ${seen.named(element)}` };
  return {
    stop,
    wrong: around.some((one) => one !== null && isOutlined(one))
      ? null
      : `focus not to be seen: ${seen.named(element)}`,
  };
}
