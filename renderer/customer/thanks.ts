import { css, html, type TemplateResult } from 'lit';

/** A tick that is drawn once, in a ring that settles: calm, and at rest after a second. */
export function thanks(): TemplateResult {
  return html`<svg class="icon thanks" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <circle class="halo" cx="12" cy="12" r="9.500" />
    <circle class="ring" pathLength="1" cx="12" cy="12" r="9.500" />
    <path class="stroke" pathLength="1" d="M7.500 12.500l3 3 6-6.500" />
  </svg>`;
}

export const thanksStyles = css`
  .thanks {
    overflow: visible;
  }
  .thanks .halo {
    fill: currentColor;
    stroke: none;
    opacity: 0.12;
  }
  .thanks :is(.ring, .stroke) {
    stroke-dasharray: 1;
  }
  @media (prefers-reduced-motion: no-preference) {
    .thanks .halo {
      transform-origin: center;
      animation: settle 900ms ease-out both;
    }
    .thanks .ring {
      animation: draw 600ms ease-out both;
    }
    .thanks .stroke {
      animation: draw 350ms 450ms ease-out both;
    }
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 1;
    }
  }
  @keyframes settle {
    from {
      transform: scale(0.4);
      opacity: 0;
    }
    60% {
      transform: scale(1.15);
    }
  }
`;
