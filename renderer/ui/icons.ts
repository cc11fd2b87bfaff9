import { html, svg, type TemplateResult } from 'lit';

const paths = {
  busy: svg`<path d="M12 3a9 9 0 1 0 9 9"/><path d="M12 7v5l3 2"/>`,
  scan: svg`<path d="M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3"/><path d="M8 8h3v3H8zM13 13h3v3h-3zM13 8h3M8 13v3"/>`,
  person: svg`<circle cx="12" cy="8" r="4"/><path d="M4.5 20c1-4 4-6 7.500-6s6.500 2 7.500 6"/>`,
  phone: svg`<rect x="7" y="2.500" width="10" height="19" rx="2.500"/><path d="M10 18.500h4"/><path d="M9.800 10l1.700 1.700L14.500 8.700"/>`,
  till: svg`<path d="M4 13h16l1 7H3z"/><path d="M6 13V8h9v5"/><path d="M8 16.500h2M12 16.500h4"/><path d="M15 8V4h4v4"/>`,
  check: svg`<circle cx="12" cy="12" r="9.500"/><path d="M7.500 12.500l3 3 6-6.500"/>`,
  cross: svg`<circle cx="12" cy="12" r="9.500"/><path d="M8.500 8.500l7 7M15.500 8.500l-7 7"/>`,
  warning: svg`<path d="M12 3.500L2.500 20h19z"/><path d="M12 10v4.500M12 17.300v.2"/>`,
  offline: svg`<path d="M3 3l18 18"/><path d="M5 12a10 10 0 0 1 4-2.500M19 12a10 10 0 0 0-4.500-2.700M8.500 15.500a5 5 0 0 1 6 -.3"/><path d="M12 19v.1"/>`,
  tick: svg`<path d="M5 12.500l4.500 4.500L19 7.500"/>`,
  refund: svg`<path d="M4 9h11a5 5 0 0 1 0 10h-4"/><path d="M8 5L4 9l4 4"/>`,
  receipt: svg`<path d="M6 3h12v18l-2.400-1.600L13.200 21 12 20l-1.200 1-2.400-1.600L6 21z"/><path d="M9 8h6M9 12h6M9 16h3"/>`,
  printer: svg`<path d="M7 9V3.500h10V9"/><path d="M7 17H4.500A1.500 1.500 0 0 1 3 15.500v-5A1.500 1.500 0 0 1 4.500 9h15a1.500 1.500 0 0 1 1.500 1.500v5a1.500 1.500 0 0 1-1.500 1.500H17"/><path d="M7 14h10v6.500H7z"/><path d="M17 12v.1"/>`,
  search: svg`<circle cx="10.500" cy="10.500" r="6.500"/><path d="M15.500 15.500L21 21"/>`,
  calendar: svg`<rect x="3.500" y="5" width="17" height="15.500" rx="2"/><path d="M3.500 10h17M8 3v4M16 3v4"/><path d="M8 14h.1M12 14h.1M16 14h.1M8 17h.1M12 17h.1"/>`,
  download: svg`<path d="M12 3.500V15M7 10.500l5 5 5-5"/><path d="M4 17.500V20h16v-2.500"/>`,
  upload: svg`<path d="M12 15.500V4M7 8.500l5-5 5 5"/><path d="M4 17.500V20h16v-2.500"/>`,
  lock: svg`<rect x="5" y="10.500" width="14" height="10" rx="2"/><path d="M8 10.500V7.500a4 4 0 0 1 8 0v3"/><path d="M12 14.500v2"/>`,
  unlock: svg`<rect x="5" y="10.500" width="14" height="10" rx="2"/><path d="M8 10.500V7.500a4 4 0 0 1 7.700-1.500"/><path d="M12 14.500v2"/>`,
  user: svg`<circle cx="12" cy="8" r="4"/><path d="M4.500 20.500c.8-4.200 3.900-6.500 7.500-6.500s6.700 2.300 7.500 6.500z"/>`,
  users: svg`<circle cx="9" cy="8.500" r="3.500"/><path d="M2.500 19.500c.6-3.700 3.300-5.500 6.500-5.500s5.900 1.800 6.500 5.500"/><path d="M16 5.300a3.500 3.500 0 0 1 0 6.400M18 14.600c1.900.8 3.100 2.400 3.500 4.900"/>`,
  plus: svg`<path d="M12 4.500v15M4.500 12h15"/>`,
  minus: svg`<path d="M4.500 12h15"/>`,
  trash: svg`<path d="M4 6.500h16M9 6.500V4h6v2.500"/><path d="M6 6.500l1 14h10l1-14"/><path d="M10 10.500v6M14 10.500v6"/>`,
  edit: svg`<path d="M4 20l1-4.500L16 4.500l3.500 3.500-11 11z"/><path d="M13.500 7l3.500 3.500"/>`,
  back: svg`<path d="M20 12H4.500M11 5l-7 7 7 7"/>`,
  forward: svg`<path d="M4 12h15.500M13 5l7 7-7 7"/>`,
  up: svg`<path d="M5.500 15l6.500-6.500 6.500 6.500"/>`,
  down: svg`<path d="M5.500 9l6.500 6.500L18.500 9"/>`,
  close: svg`<path d="M5.500 5.500l13 13M18.500 5.500l-13 13"/>`,
  chart: svg`<path d="M3.500 20.500h17"/><path d="M6 20.500V13h3v7.500M10.500 20.500V5h3v15.500M15 20.500V9.500h3v11"/>`,
  bank: svg`<path d="M3.500 9.500L12 4l8.500 5.500z"/><path d="M6 9.500V17M10 9.500V17M14 9.500V17M18 9.500V17"/><path d="M3.500 20h17M4.500 17h15"/>`,
  scale: svg`<path d="M12 4v16M7.500 20h9M5 7h14"/><path d="M5 7l-2.700 6.500a2.900 2.900 0 0 0 5.400 0zM19 7l-2.700 6.500a2.900 2.900 0 0 0 5.400 0z"/>`,
  health: svg`<path d="M12 20.500C6 16.500 3 13 3 9.200A4.700 4.700 0 0 1 12 7a4.700 4.700 0 0 1 9 2.200c0 3.800-3 7.300-9 11.300z"/><path d="M5.500 12.500h3l1.700-3 2.600 5 1.700-2h4"/>`,
  plug: svg`<path d="M9 3v5M15 3v5"/><path d="M6.500 8h11v3.500a5.500 5.500 0 0 1-11 0z"/><path d="M12 17v4"/>`,
  cable: svg`<rect x="3" y="4" width="6" height="6" rx="1.500"/><rect x="15" y="14" width="6" height="6" rx="1.500"/><path d="M6 10v4a3.500 3.500 0 0 0 7 0v-4a3 3 0 0 1 5 0v4"/>`,
  usb: svg`<path d="M12 20.500V4M9.800 6L12 3.500 14.200 6"/><path d="M12 16.500L6.500 13v-2.500M12 14l5.500-3V8.500"/><circle cx="12" cy="20" r="1.300"/><circle cx="6.500" cy="9.300" r="1.200"/><path d="M16.400 6.300h2.200v2.200h-2.200z"/>`,
  network: svg`<rect x="9" y="3" width="6" height="5" rx="1"/><rect x="2.500" y="16" width="6" height="5" rx="1"/><rect x="15.500" y="16" width="6" height="5" rx="1"/><path d="M12 8v4M5.500 16v-4h13v4"/>`,
  qr: svg`<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4z"/><path d="M7 7h.1M17 7h.1M7 17h.1"/><path d="M14 14h2.500v2.500H14zM20 14v2.500M17 20h3v-1M14 20h.1"/>`,
  nfc: svg`<path d="M6 9.500c.8 1.600.8 3.400 0 5M9.500 7.500c1.500 2.800 1.500 6.200 0 9M13 5.500c2.200 4 2.200 9 0 13M16.500 3.500c2.900 5.200 2.900 11.800 0 17"/>`,
  bluetooth: svg`<path d="M6.500 7.500l11 9L12 21V3l5.500 4.500-11 9"/>`,
  store: svg`<path d="M4.500 4h15l1.500 5.500H3z"/><path d="M3 9.500a3 3 0 0 0 6 0 3 3 0 0 0 6 0 3 3 0 0 0 6 0"/><path d="M5 12.500V20h14v-7.500"/><path d="M10 20v-4.500h4V20"/>`,
  key: svg`<circle cx="8" cy="15.500" r="4.500"/><path d="M11.300 12.200L20 3.500M16 7.500l3 3M13.500 10l2 2"/>`,
  globe: svg`<circle cx="12" cy="12" r="9"/><path d="M3 12h18"/><path d="M12 3c2.700 2.600 4 5.600 4 9s-1.300 6.400-4 9c-2.700-2.600-4-5.600-4-9s1.300-6.400 4-9z"/>`,
  clock: svg`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.500 2"/>`,
  info: svg`<circle cx="12" cy="12" r="9.500"/><path d="M12 11v6M12 7.200v.1"/>`,
  help: svg`<circle cx="12" cy="12" r="9.500"/><path d="M9.200 9.500a2.900 2.900 0 1 1 4.300 2.500c-1 .6-1.500 1.100-1.500 2.300M12 17.300v.1"/>`,
  backspace: svg`<path d="M8.500 5.500h11a1.500 1.500 0 0 1 1.500 1.500v10a1.500 1.500 0 0 1-1.500 1.500h-11L2.500 12z"/><path d="M11.500 9.500l5 5M16.500 9.500l-5 5"/>`,
  sound: svg`<path d="M4 9.500v5h3.500L12.500 19V5L7.500 9.500z"/><path d="M15.500 9c1.300 1.800 1.300 4.200 0 6M18.300 6.500c2.700 3.300 2.700 7.700 0 11"/>`,
  'sound-off': svg`<path d="M4 9.500v5h3.500L12.500 19V5L7.500 9.500z"/><path d="M16 9.500l5 5M21 9.500l-5 5"/>`,
  eye: svg`<path d="M2.500 12C5 7.700 8.200 5.500 12 5.500s7 2.200 9.500 6.500c-2.500 4.300-5.700 6.500-9.500 6.500S5 16.300 2.500 12z"/><circle cx="12" cy="12" r="3"/>`,
  'eye-off': svg`<path d="M9.500 5.800A9 9 0 0 1 12 5.500c3.800 0 7 2.200 9.500 6.500a17 17 0 0 1-2.700 3.500M6.200 7.300A15.500 15.500 0 0 0 2.500 12c2.500 4.300 5.700 6.500 9.500 6.500a9 9 0 0 0 4.300-1.100"/><path d="M9.900 9.900a3 3 0 0 0 4.200 4.200M4 3.500l16.500 17"/>`,
  filter: svg`<path d="M3.500 5h17L14 12.500V19l-4 1.500v-8z"/>`,
  file: svg`<path d="M6 3h8l4.500 4.500V21H6z"/><path d="M14 3v4.500h4.500M9 12.500h6M9 16.500h6"/>`,
  coins: svg`<ellipse cx="9" cy="7" rx="6" ry="3"/><path d="M3 7v4.500c0 1.700 2.700 3 6 3 .7 0 1.400-.1 2-.2M3 11.500V16c0 1.700 2.700 3 6 3 .7 0 1.300-.1 2-.2M15 7v3"/><ellipse cx="16" cy="13" rx="5" ry="2.600"/><path d="M11 13v5c0 1.500 2.200 2.600 5 2.600s5-1.100 5-2.600v-5"/>`,
  settings: svg`<circle cx="12" cy="12" r="3"/><path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.200 2.200M16.200 16.200l2.200 2.200M18.400 5.600l-2.200 2.200M7.800 16.200l-2.200 2.200"/>`,
  history: svg`<path d="M3.500 12a8.500 8.500 0 1 0 2.700-6.200L3.500 8.500"/><path d="M3.500 3.500v5h5M12 7.500V12l3.500 2"/>`,
  logout: svg`<path d="M10 4H5v16h5"/><path d="M9.500 12H20M15.500 7l5 5-5 5"/>`,
  flag: svg`<path d="M5.500 21V3.500"/><path d="M5.500 4.500h12l-2.500 4 2.500 4h-12"/>`,
  copy: svg`<rect x="8.500" y="8.500" width="12" height="12" rx="2"/><path d="M15.500 8.500v-3a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3"/>`,
} as const;

export type IconName = keyof typeof paths;
export const iconNames = Object.keys(paths) as IconName[];

/** A line icon in the colour and size of the surrounding text. It is hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths[name]}</svg>`;
}

/** The product's logo and name. */
export function wordmark(): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M6 9a14 14 0 0 1 20 0M10 13a8.500 8.500 0 0 1 12 0" fill="none" stroke="var(--beacon)" stroke-width="2.600" stroke-linecap="round" />
      <circle cx="16" cy="17.500" r="2.600" fill="var(--beacon)" />
      <path d="M7 22h18l2 6H5z" fill="currentColor" /></svg
    ><span class="name">Tillbeacon</span>`;
}
