import { closedPort } from './closed-port.ts';
import { anyHost } from './customers-form.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { formatOf } from '../../preload/procedures/setup-fields.ts';
import type { Heard } from '../../preload/procedures/setup-till.ts';
import { icon } from '../ui/icons.ts';
import { notice, type NoticeKind } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { hostPort } from '../../main/core/domain/host-port.ts';
import { formatName, type TillForm, withProtocol } from './till-form.ts';

const kinds = {
  zvt: 'success',
  concert: 'success',
  zvtDamaged: 'warning',
  wrongBaudRate: 'warning',
  otherProtocol: 'error',
} as const satisfies Partial<Record<Heard['what'], NoticeKind>>;

/** The button that takes over what was recognised. */
interface Take {
  readonly label: string;
  readonly onTake: () => void;
}

/**
 * Shows what was received from the till so far, or how to make it send something. @param take null
 * when there is nothing to take over
 */
export function receivedNotice(
  language: Language,
  take: Take | null,
  {
    what,
    protocol,
    bytes,
    firstBytes,
    profile,
    meaning,
    till,
    detail,
    problem,
    claimer,
    listening,
    turnedAway,
    answered,
  }: Heard,
): TemplateResult {
  const { heard: texts } = setupTexts[language];
  const security = setupTexts[language].security;
  return html`<div data-testid="heard" data-heard=${what} class="stack">
    ${result()} ${turnedAway === null ? nothing : notice({ kind: 'warning', title: security.turnedAway({ address: turnedAway }), body: security.turnedAwayNext })}
    ${
      bytes === 0
        ? nothing
        : html`<p class="soft" data-testid="answered" data-answered=${answered ?? 'nothing'}>${answered === null ? texts.unanswered : texts.answered[answered]}</p>
          <details>
            <summary>${icon('down')} ${texts.bytes({ count: bytes })}</summary>
            <p class="mono small">${firstBytes}</p>
          </details>`
    }
  </div>`;

  function nothingYet(): string {
    if (till.transport === 'serial') return texts.nothing;
    // The server listens at all addresses, so there is no single one to type into the till.
    if (till.host === anyHost) return texts.nothingAnyAddress({ port: String(till.port) });
    return texts.nothingTcp({ address: hostPort(till.host, till.port) });
  }

  function taking(): TemplateResult | undefined {
    return take === null
      ? undefined
      : html`<button data-testid="take" @click=${take.onTake}>${icon('check')} ${take.label}</button>`;
  }

  function concertAt({
    baudRate,
    ...line
  }: Extract<Heard['till'], { transport: 'serial' }>): string {
    const format = formatOf(line);
    if (format.dataBits === 8) return texts.zvtAt({ rate: baudRate });
    return texts.concertAt({ rate: baudRate, format: formatName(language, format) });
  }

  function result(): TemplateResult {
    switch (what) {
      case 'opening':
        return detail === null
          ? progress({ language, label: texts.opening, fraction: null })
          : closedPort({
              language,
              problem,
              claimer,
              detail,
              isSerial: till.transport === 'serial',
              listening,
            });
      case 'nothing':
      case 'unclear':
      case 'stopped':
        return progress({
          language,
          label: texts.waiting,
          fraction: null,
          detail: what === 'unclear' ? texts.unclear : nothingYet(),
        });
      case 'zvt':
        return notice({
          kind: kinds[what],
          title: texts.zvt,
          body: html`${till.transport === 'serial' ? texts.zvtAt({ rate: till.baudRate }) : texts.zvtNext} ${
            take === null || profile === null
              ? nothing
              : texts.zvtProfile[profile]({ profile: setupTexts[language].till.profiles[profile] })
          } ${meaning === null ? nothing : html`<span class="mono small">${meaning}</span>`}`,
          actions: taking(),
        });
      case 'concert':
        return notice({
          kind: kinds[what],
          title: texts.concert,
          body: till.transport === 'serial' ? concertAt(till) : texts.zvtNext,
        });
      case 'zvtDamaged':
        return notice({ kind: kinds[what], title: texts.zvtDamaged, body: texts.zvtDamagedNext });
      case 'wrongBaudRate':
        return notice({
          kind: kinds[what],
          title: texts.wrongBaudRate,
          body: texts.wrongBaudRateNext({ rate: till.transport === 'serial' ? till.baudRate : 0 }),
        });
      case 'otherProtocol': {
        const { title, next } = texts.protocol[protocol ?? 'unknown'];
        return notice({
          kind: take === null ? kinds[what] : 'info',
          title,
          body: next,
          actions: taking(),
        });
      }
    }
  }
}

/** The button that takes over a protocol or a profile that was recognised. */
export function recognised(
  language: Language,
  form: TillForm,
  { what, protocol, profile }: Heard,
  onTake: (change: Partial<TillForm>) => void,
): Take | null {
  const { take, profiles, protocols } = setupTexts[language].till;
  if (what === 'otherProtocol' && (protocol === 'zvt' || protocol === 'concert')) {
    // The till reaches this port already, so the port is not changed to the other protocol's
    // default.
    const { port: _port, ...change } = withProtocol(form, protocol);
    return { label: take({ what: protocols[protocol] }), onTake: () => onTake(change) };
  }
  if (what === 'zvt' && profile !== null && form.profile === '')
    return { label: take({ what: profiles[profile] }), onTake: () => onTake({ profile }) };
  const isProgram = what === 'otherProtocol' && (protocol === 'http' || protocol === 'nexo');
  if (!isProgram || form.transport !== 'tcp') return null;
  const { host, port } = form;
  const httpProtocol = protocol === 'nexo' ? protocol : 'api';
  const change = { transport: 'http', httpProtocol, apiHost: host.trim(), apiPort: port } as const;
  return { label: take({ what: protocols[httpProtocol] }), onTake: () => onTake(change) };
}

interface UnheardOptions {
  readonly language: Language;
  /** null while the port is not listened to. */
  readonly heard: Heard | null;
  readonly protocol: TillForm['protocol'];
  readonly onWait: () => void;
  readonly onGo: () => void;
}

/** Says what the check of the port found, and asks whether to go on without the till. */
export function unheardNotice({
  language,
  heard: received,
  protocol,
  onWait,
  onGo,
}: UnheardOptions): TemplateResult {
  const { unheard, protocols } = setupTexts[language].till;
  const result =
    received?.what === 'opening'
      ? unheard.closed
      : received === null || received.bytes === 0
        ? unheard.nothing
        : unheard.other({ protocol: protocols[protocol] });
  return html`<div data-testid="unheard">
    ${notice({
      kind: 'warning',
      title: unheard.title,
      body: html`${result}
        <div class="row answers">
          <button data-testid="wait" @click=${onWait}>${unheard.wait}</button>
          <button data-testid="without-till" @click=${onGo}>${unheard.go} ${icon('forward')}</button>
        </div>`,
    })}
  </div>`;
}
