import { css } from 'lit';

export const cashierStyles = css`
  .frame {
    height: 100%;
    display: grid;
    grid-template-rows: auto 1fr auto;
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
    --amount-size: clamp(2.6rem, 9vmin, 7rem);
    transition: background var(--quick);
  }
  .state > .icon {
    /* Gives way first when strips below need the room. */
    font-size: clamp(44px, min(15vmin, 22cqb), 190px);
    color: var(--strong);
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
    font-size: clamp(2rem, 6.2vmin, 4.6rem);
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
  .hint {
    margin: 0;
    font-size: clamp(1.3rem, 3.4vmin, 2.3rem);
    color: var(--ink);
    text-wrap: pretty;
  }
  .detail {
    margin: 0;
    font: 0.9rem var(--mono);
    color: var(--ink-soft);
    overflow-wrap: anywhere;
  }
  ol {
    display: flex;
    gap: clamp(8px, 1.5vmin, 20px);
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: clamp(0.95rem, 2vmin, 1.35rem);
    font-weight: 600;
  }
  li {
    flex: 1;
    padding-top: 10px;
    border-top: 6px solid var(--line);
    color: var(--ink-soft);
  }
  li.done {
    border-color: var(--strong);
    color: var(--ink);
  }
  li[aria-current] {
    border-color: var(--strong);
    color: var(--strong);
  }
  aside {
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
    min-height: 84px;
    border-color: var(--bad);
    color: var(--bad);
    font-size: clamp(1.3rem, 3vmin, 2rem);
  }
  .strips {
    /* However many there are: the sale above stays in sight. */
    max-height: 30vh;
    overflow-y: auto;
  }
  .strip {
    display: flex;
    align-items: center;
    gap: 12px;
    margin: 0 clamp(16px, 2.5vw, 40px) 8px;
    padding: 10px 20px;
    border-radius: var(--radius-small);
    background: var(--warn-soft);
    color: var(--warn);
    font-size: 1.1rem;
    font-weight: 600;
  }
  .strip.refund {
    background: var(--neutral-soft);
    color: var(--neutral);
  }
  .strip.person {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .strip .icon {
    font-size: 1.6rem;
  }
  footer {
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 0 clamp(16px, 2.5vw, 40px) 14px;
    color: var(--ink-soft);
    font-size: 1rem;
  }
  .dot {
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
  @media (max-width: 760px) {
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
    .strips {
      max-height: none;
    }
    main {
      grid-template-columns: minmax(0, 1fr);
    }
    aside {
      width: auto;
    }
  }
`;
