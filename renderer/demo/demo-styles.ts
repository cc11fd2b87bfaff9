import { css } from 'lit';

export const demoStyles = css`
  .frame {
    min-height: 100%;
    display: grid;
    grid-template-rows: auto 1fr;
  }
  main {
    display: grid;
    grid-template-columns: minmax(270px, 0.9fr) minmax(300px, 1.5fr) minmax(230px, 0.75fr);
    gap: var(--gap);
    padding: 0 clamp(12px, 2vw, 32px) var(--gap);
    align-items: stretch;
  }
  main.away {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    min-height: 60vh;
    place-items: center;
    text-align: center;
  }
  section {
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-width: 0;
  }
  h2 {
    margin: 0;
    font-size: 1rem;
    color: var(--ink-soft);
  }
  .till {
    padding: 18px;
    border-radius: var(--radius);
    background: #26324b;
    color: #eef2fa;
    box-shadow: var(--shadow);
  }
  .till h2 {
    color: #c4cee2;
  }
  .display {
    display: grid;
    gap: 4px;
    padding: 12px 16px;
    border-radius: var(--radius-small);
    background: #0c1a12;
    color: #7dffb0;
    font: 600 1.05rem var(--mono);
    min-height: 84px;
    overflow-wrap: anywhere;
  }
  .display output {
    text-align: right;
    font-size: 1.7rem;
  }
  .keys {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 8px;
  }
  .keys button {
    padding: 0;
    font-size: 1.3rem;
  }
  .till button {
    border-color: #455370;
    background: #34425f;
    color: #fff;
  }
  .till .pay {
    background: #0a7a43;
    border-color: #0a7a43;
  }
  .till .abort {
    background: #b3261e;
    border-color: #b3261e;
  }
  .pair {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  .others {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .others button {
    min-height: 48px;
    padding: 0 14px;
    font-size: 0.9rem;
  }
  .paper {
    margin: 0;
    padding: 14px;
    border-radius: 4px;
    background: #fffdf6;
    color: #1c1c1c;
    font: 0.78rem/1.35 var(--mono);
    white-space: pre;
    overflow-x: auto;
    box-shadow: var(--shadow);
  }
  .phone {
    align-self: center;
    width: min(100%, 300px);
    flex: 1;
    max-height: 620px;
    display: flex;
    flex-direction: column;
    gap: 12px;
    padding: 22px 18px;
    border: 10px solid #1b2233;
    border-radius: 40px;
    background: var(--card);
    text-align: center;
  }
  .phone .face {
    flex: 1;
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 14px;
    font-size: 1.2rem;
    font-weight: 650;
    container-type: inline-size;
    --amount-size: 2.1rem;
  }
  .phone .face .icon {
    font-size: 4.5rem;
    color: var(--busy);
  }
  .phone .face.approved .icon {
    color: var(--good);
  }
  .phone .face.refused .icon {
    color: var(--bad);
  }
  .phone .message {
    min-height: 2.4em;
    margin: 0;
    color: var(--bad);
    font-size: 0.95rem;
  }
  .approve {
    border-color: var(--good);
    color: var(--good);
  }
  .screens {
    gap: var(--gap);
    /* Both of them in sight at once. */
    width: min(100%, (100vh - 130px) * 0.8);
    justify-self: center;
  }
  .preview {
    aspect-ratio: 16 / 10;
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--card);
    box-shadow: var(--shadow);
  }
  /* A whole screen, made small: as it looks on the counter. */
  iframe {
    width: 1024px;
    height: 640px;
    border: 0;
    transform-origin: 0 0;
    transform: scale(var(--preview-scale, 0.5));
  }
  .log {
    grid-column: 1 / -1;
    display: grid;
    gap: 2px;
    max-height: 300px;
    margin: 0;
    padding: 12px;
    overflow: auto;
    border-radius: var(--radius-small);
    background: #10182a;
    color: #dbe4f5;
    font: 0.85rem/1.5 var(--mono);
    list-style: none;
  }
  .log li {
    display: grid;
    grid-template-columns: 80px 90px minmax(220px, 1fr) minmax(0, 1.2fr);
    gap: 12px;
  }
  .log .sent {
    color: #ffc766;
  }
  .log .received {
    color: #8db8ff;
  }
  .log .bytes {
    color: #9fb0cf;
    overflow-wrap: anywhere;
  }
  @media (max-width: 900px) {
    main {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
