import { css, type CSSResultGroup } from 'lit';
import { thanksStyles } from './thanks.ts';

/** From 800×480 to 1920×1080, lying or standing: everything is measured by the room that it has, so that nothing is cut and the code is large. */
export const customerStyles: CSSResultGroup = [
  thanksStyles,
  css`
    .frame {
      position: relative;
      height: 100%;
      display: grid;
      grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr);
      background: var(--card);
      overflow: hidden;
    }
    .frame[data-state='paid'] {
      --tone: var(--good);
      background: var(--good-soft);
    }
    .frame[data-state='confirming'] {
      --tone: var(--good);
    }
    .frame[data-state='notPaid'] {
      --tone: var(--bad);
      background: var(--bad-soft);
    }
    .bar {
      position: relative;
      z-index: 2;
      min-height: 0;
      padding-block: 6px;
    }
    tb-language {
      border-radius: var(--radius-small);
      background: var(--card);
    }
    .shop {
      display: inline-flex;
      align-items: center;
      gap: 0.7em;
      min-width: 0;
      font-weight: 700;
      font-size: clamp(1.1rem, 3.2vmin, 2.2rem);
      letter-spacing: -0.01em;
    }
    /* A long one takes two lines in the bar rather than lose its end. */
    .shop-name {
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      overflow: hidden;
      line-height: 1.15;
      text-wrap: balance;
    }
    .logo {
      height: clamp(2.4rem, 6vmin, 4.5rem);
      max-width: min(38vw, 16rem);
      object-fit: contain;
      object-position: left center;
    }
    .picture {
      position: absolute;
      inset: 0;
      width: 100%;
      height: 100%;
      object-fit: cover;
    }

    .service-note {
      display: block;
      position: relative;
      padding: 2px 14px;
      background: var(--warn-soft);
      color: var(--warn);
      font-size: 0.95rem;
      text-align: center;
    }

    main {
      position: relative;
      container-type: size;
      min-height: 0;
      margin: 0 clamp(14px, 3.5vmin, 72px) clamp(10px, 3vmin, 48px);
    }
    .stage {
      display: flex;
      align-items: center;
      justify-content: center;
      gap: clamp(20px, 5cqw, 110px);
      height: 100%;
    }
    .place {
      flex: none;
    }
    /* Whole pixels for each module: the edges are as sharp as the glass. */
    .code {
      --side: min(100cqh, 52cqw);
      width: var(--side);
      width: round(down, var(--side), calc(var(--modules) * 1px));
      aspect-ratio: 1;
      flex: none;
      background: #fff;
      border-radius: var(--radius-small);
      overflow: hidden;
      box-shadow: var(--shadow);
    }
    .code .qr {
      border-radius: 0;
    }

    .words {
      container-type: inline-size;
      flex: 1;
      min-width: 0;
      max-height: 100%;
      display: flex;
      flex-direction: column;
      gap: clamp(8px, 2.6cqh, 30px);
      --amount-size: clamp(2rem, 15cqh, 7.5rem);
    }
    [data-check-in='checkedIn'] {
      --tone: var(--good);
    }
    .words > .icon {
      flex: none;
      font-size: clamp(56px, 24cqh, 260px);
      color: var(--tone, var(--busy));
    }
    h1 {
      margin: 0;
      font-size: clamp(1.5rem, min(12cqi, 15cqh), 6.5rem);
      line-height: 1.06;
      letter-spacing: -0.025em;
      text-wrap: balance;
      overflow-wrap: break-word;
      hyphens: auto;
    }
    .note {
      margin: 0;
      color: var(--ink-soft);
      font-size: clamp(1rem, min(5.6cqi, 5.5cqh), 2.6rem);
      line-height: 1.3;
      text-wrap: pretty;
    }
    .alone,
    .idle {
      text-align: center;
    }
    .alone .words,
    .idle .words {
      align-items: center;
    }
    .idle .words {
      padding-block: 2px;
    }
    .idle h1 {
      margin-top: 1.5cqh;
    }
    .alone .note,
    .idle .note {
      max-width: 34em;
    }

    .path {
      display: flex;
      flex-wrap: wrap;
      gap: 0.5em 1.4em;
      margin: clamp(2px, 1.5cqh, 18px) 0 0;
      padding: 0;
      list-style: none;
      color: var(--ink-soft);
      font-weight: 600;
      font-size: clamp(0.95rem, min(4.4cqi, 4cqh), 1.7rem);
    }
    .path li {
      display: inline-flex;
      align-items: center;
      gap: 0.5em;
    }
    .path .number {
      display: grid;
      place-items: center;
      width: 1.8em;
      height: 1.8em;
      border: 2px solid var(--field-line);
      border-radius: 50%;
      font-variant-numeric: tabular-nums;
    }
    .path [aria-current] {
      color: var(--ink);
    }
    .path [aria-current] .number {
      border-color: var(--busy);
      background: var(--busy);
      color: var(--on-strong);
    }
    .path .done .number {
      border-color: var(--good);
      color: var(--good);
    }

    .idle .brand,
    .idle .shop {
      flex-direction: column;
      gap: 3cqh;
      max-width: 100%;
      font-size: clamp(1.6rem, min(7cqw, 9cqh), 4.5rem);
    }
    .idle .shop-name {
      max-width: 100%;
      display: block;
      overflow: visible;
    }
    .idle .brand .mark {
      width: clamp(100px, 34cqh, 340px);
      height: auto;
    }
    .idle .brand .name {
      display: none;
    }
    .idle .logo {
      height: auto;
      max-height: 34cqh;
      max-width: 70cqw;
      object-position: center;
    }
    .idle h1 {
      font-size: clamp(1.5rem, min(7cqi, 11cqh), 4.6rem);
    }
    .picture ~ main .idle {
      align-items: end;
    }
    .picture ~ main .idle .words {
      flex: 0 1 auto;
      container-type: normal;
      max-width: 100%;
      padding: clamp(12px, 3cqh, 32px) clamp(18px, 4cqw, 56px);
      border-radius: var(--radius);
      background: var(--card);
      box-shadow: var(--shadow);
    }
    .picture ~ main .idle h1 {
      font-size: clamp(1.3rem, min(4cqw, 7cqh), 3rem);
    }
    .picture ~ main .idle :is(.brand, .note) {
      display: none;
    }
    .picture ~ main .idle .shop {
      flex-direction: row;
      justify-content: center;
      font-size: clamp(1.1rem, min(3.4cqw, 5cqh), 2.2rem);
    }
    .picture ~ main .idle .shop-name {
      min-width: min-content;
      flex: 0 1 auto;
    }
    .picture ~ main .idle .logo {
      flex: none;
      height: min(12cqh, 15cqw);
      max-height: none;
      max-width: 30cqw;
    }

    @media (max-aspect-ratio: 1) {
      .stage {
        flex-direction: column;
        gap: clamp(12px, 3cqh, 48px);
      }
      /* The words take what they need, the code all that is left. */
      .place {
        container-type: size;
        flex: 1 1 0;
        width: 100%;
        max-height: 62%;
        display: grid;
        place-items: center;
      }
      .code {
        --side: min(100cqw, 100cqh);
      }
      .words {
        flex: none;
        width: 100%;
        align-items: center;
        text-align: center;
        --amount-size: clamp(2rem, 9cqh, 7rem);
      }
      h1 {
        font-size: clamp(1.5rem, min(11cqi, 9cqh), 6rem);
      }
      .note {
        font-size: clamp(1rem, min(5cqi, 3.4cqh), 2.1rem);
      }
      .path {
        justify-content: center;
        font-size: clamp(0.95rem, min(4cqi, 2.6cqh), 1.6rem);
      }
      .words > .icon {
        font-size: clamp(56px, 20cqh, 260px);
      }
      .place ~ .words > .icon {
        font-size: clamp(48px, 9cqh, 120px);
      }
      .picture ~ main .idle {
        align-items: center;
        justify-content: end;
      }
      .picture ~ main .idle .words {
        width: auto;
      }
    }
  `,
];
