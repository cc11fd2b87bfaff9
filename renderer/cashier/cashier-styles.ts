import { css } from 'lit';

export const cashierStyles = css`
  .frame {
    height: 100%;
    display: grid;
    grid-template-rows: auto 1fr auto auto;
  }
  .lane {
    font-size: 1.15rem;
    font-weight: 600;
    color: var(--ink-soft);
  }
  main {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--gap);
    padding: 4px clamp(16px, 2.5vw, 40px) var(--gap);
    min-height: 0;
  }
  main:not(:has(aside)) {
    grid-template-columns: minmax(0, 1fr);
  }
  .state {
    display: flex;
    flex-direction: column;
    justify-content: center;
    gap: clamp(10px, 2vmin, 28px);
    padding: clamp(16px, 4vmin, 64px);
    border-radius: var(--radius);
    background: var(--soft);
    min-width: 0;
    min-height: 0;
    container-type: size;
    --amount-size: clamp(2.4rem, min(9vmin, 16cqb), 7rem);
    transition: background var(--quick);
  }
  .state > .icon,
  .leave h1 .icon {
    color: var(--strong);
  }
  .state > .icon {
    /* Gives way first when banners below need the room. */
    font-size: clamp(44px, min(15vmin, 22cqb), 190px);
  }
  [data-tone='neutral'] {
    --strong: var(--neutral);
    --soft: var(--neutral-soft);
  }
  [data-tone='busy'] {
    --strong: var(--busy);
    --soft: var(--busy-soft);
  }
  [data-tone='good'] {
    --strong: var(--good);
    --soft: var(--good-soft);
  }
  [data-tone='bad'] {
    --strong: var(--bad);
    --soft: var(--bad-soft);
  }
  [data-tone='warn'] {
    --strong: var(--warn);
    --soft: var(--warn-soft);
  }
  h1 {
    margin: 0;
    font-size: clamp(1.7rem, min(6.2vmin, 11cqb), 4.6rem);
    line-height: 1.08;
    letter-spacing: -0.02em;
    text-wrap: balance;
    color: var(--strong);
  }
  .verdict {
    margin: 0;
    color: var(--strong);
    font-size: clamp(1.4rem, 4vmin, 2.8rem);
    font-weight: 700;
  }
  .state > a {
    align-self: start;
  }
  .hint {
    margin: 0;
    font-size: clamp(1.15rem, min(3.4vmin, 6cqb), 2.3rem);
    color: var(--ink);
    text-wrap: pretty;
  }
  .detail {
    margin: 0;
    font: 0.9rem var(--mono);
    color: var(--ink-soft);
    overflow-wrap: anywhere;
  }
  .steps {
    display: flex;
    gap: clamp(8px, 1.5vmin, 20px);
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: clamp(0.95rem, 2vmin, 1.35rem);
    font-weight: 600;
  }
  .steps li {
    flex: 1;
    padding-top: 10px;
    border-top: 6px solid var(--line);
    color: var(--ink-soft);
  }
  .steps li.done {
    border-color: var(--strong);
    color: var(--ink);
  }
  .steps li[aria-current] {
    border-color: var(--strong);
    color: var(--strong);
  }
  .bar a.button {
    min-height: var(--touch-small);
  }
  aside {
    min-height: 0;
    width: clamp(270px, 30vw, 520px);
    display: flex;
    flex-direction: column;
    /* Cancel stays where it is when the code goes. */
    justify-content: flex-end;
    gap: var(--gap);
  }
  .code {
    flex: 1;
    display: grid;
    grid-template-rows: minmax(0, 1fr);
    place-items: center;
    padding: clamp(10px, 2vmin, 24px);
    border-radius: var(--radius);
    background: #fff;
    box-shadow: var(--shadow);
    min-height: 0;
  }
  /* As large as the room left over, and always whole. */
  .code .qr {
    min-height: 0;
  }
  .time {
    padding: 16px 24px;
    border-radius: var(--radius);
    background: var(--card);
    box-shadow: var(--shadow);
    font-size: clamp(1.2rem, 2.8vmin, 2rem);
    font-weight: 650;
    font-variant-numeric: tabular-nums;
  }
  progress {
    display: block;
    width: 100%;
    height: 10px;
    margin-top: 10px;
    border: 0;
    border-radius: 5px;
    background: var(--line);
    appearance: none;
    overflow: hidden;
  }
  progress::-webkit-progress-bar {
    background: var(--line);
  }
  progress::-webkit-progress-value {
    background: var(--busy);
    border-radius: 5px;
  }
  .cancel {
    flex: none;
    padding-inline: 0.6em;
    min-height: 84px;
    border-color: var(--bad);
    color: var(--bad);
    font-size: clamp(1.3rem, 3vmin, 2rem);
  }
  footer {
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 0 clamp(16px, 2.5vw, 40px) 14px;
    color: var(--ink-soft);
    font-size: 1rem;
  }
  .service-note {
    flex: none;
    margin-inline-start: auto;
    color: var(--warn);
  }
  .dot {
    flex: none;
    width: 14px;
    height: 14px;
    border-radius: 50%;
    border: 3px solid var(--ink-soft);
  }
  .dot.connected {
    background: var(--good);
    border-color: var(--good);
  }
  .dot.absent {
    border-color: var(--bad);
  }
  /* A small screen, or large text: all of it one below the other, and what must be seen or pressed first. */
  @media (max-width: 47.5em) {
    .bar {
      flex-wrap: wrap;
    }
    .frame > * {
      order: 1;
    }
    .bar,
    .banners {
      order: 0;
    }
    .code,
    .recent {
      order: 1;
    }
    .frame {
      height: auto;
      min-height: 100%;
    }
    .state {
      container-type: inline-size;
    }
    .code .qr {
      height: auto;
      aspect-ratio: 1;
    }
    .banners {
      max-height: none;
    }
    main,
    main:has(.by-hand) {
      grid-template-columns: minmax(0, 1fr);
    }
    aside {
      width: auto;
    }
  }
`;
