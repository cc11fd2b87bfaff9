/** What a till and its connection agree on before it pays: registration, language, password. */
import { completion, registrationCompletion, wrongCurrencyAnswer } from './answers.ts';
import { BMP } from './bitmaps.ts';
import type { Handlers, Packet, ZvtConnection } from './connection.ts';
import { decodeCurrency } from './currency.ts';
import { groupOf, packets, password } from './packet-table.ts';
import { hex, positiveAnswer } from './packets.ts';
import { isPassword } from './permissions.ts';
import { agreedObjects, notRegistered, readRegistration } from './registration.ts';
import { RESULT } from './result-codes.ts';
import { inLanguage, languageChosen } from './till-language.ts';

const noBytes = new Uint8Array(0);

function register(connection: ZvtConnection, { parts, fields }: Packet): void {
  const { terminal, peer } = connection;
  const { currency, profile, otherCurrencies, terminalId, incidents } = terminal;
  const currencyBytes = parts.get('currency');
  const isOther = currencyBytes !== undefined && decodeCurrency(currencyBytes) !== currency;
  const read = readRegistration(parts.get('config')?.[0] ?? 0, currencyBytes, fields, terminal);
  const isRefused = isOther && profile.registrationCurrency === 'asNamed';
  if (isRefused || (currencyBytes !== undefined && !isOther))
    otherCurrencies.named(peer.address, isOther);
  if (isRefused || read === null) {
    incidents.tell(
      'tillCurrencyOther',
      peer,
      `it registers in ${hex(currencyBytes ?? noBytes)}, the lane is in ${currency}`,
    );
    return connection.answer(wrongCurrencyAnswer(currency));
  }
  incidents.settle('tillCurrencyOther', peer);
  const registration = inLanguage(read, connection.language);
  connection.registration = registration;
  if (connection.proven) terminal.agreed = registration;
  connection.answer(positiveAnswer);
  const agreed = registration.isMinimal
    ? completion
    : registrationCompletion(
        registration.currency,
        agreedObjects(fields, registration),
        terminalId,
      );
  void connection.exchange.send(agreed, {
    settled: (result) => {
      connection.completedRegistration = result === 'positive';
      if (connection.registered) terminal.addressRegistrations.agreed(peer, registration);
    },
  });
}

function forgetRegistration(connection: ZvtConnection): void {
  const { terminal } = connection;
  connection.registration = inLanguage(notRegistered(terminal), connection.language);
  connection.completedRegistration = false;
  terminal.addressRegistrations.forget(connection.peer);
  if (connection.proven) terminal.agreed = null;
}

/**
 * Holds until another one is chosen, also across registrations. For other connections and the next
 * start, only by the cable or one that has sent the password.
 */
function selectLanguage(connection: ZvtConnection, { parts }: Packet): void {
  const { terminal, peer } = connection;
  const language = languageChosen(parts, terminal.shopLanguage);
  connection.language = language;
  connection.registration = inLanguage(connection.registration, language);
  if (!connection.proven && peer.kind !== 'serial') return;
  terminal.language = language;
  terminal.keepLanguage(language);
  if (terminal.agreed !== null) terminal.agreed = inLanguage(terminal.agreed, language);
}

/**
 * Carries a command out that has the right password, or needs none. Where the settings have a
 * password, each that a command carries must be it. While somebody at this address guesses, the
 * password is compared once the connection has lasted, so that the answer before tells nothing.
 */
export function withPassword(
  connection: ZvtConnection,
  packet: Packet,
  carryOut: () => void,
): void {
  const { terminal, passwordTries, proven, unjudgedPassword } = connection;
  const wanted = terminal.permissions.password;
  const mayGoOn = groupOf(packet.name).goesOnWithoutPassword;
  const sent =
    packet.parts.get(password.name) ??
    packet.fields.get(BMP.password) ??
    (mayGoOn ? null : unjudgedPassword);
  if (wanted === undefined || sent === null) return carryOut();
  if (!proven && mayGoOn && passwordTries.leftMs > 0) {
    connection.unjudgedPassword = sent;
    return carryOut();
  }
  const compare = (): void => {
    if (isRightPassword(connection, wanted, sent)) return carryOut();
    const code = passwordTries.missed() ? 'tillPasswordGuessed' : 'tillPasswordWrong';
    terminal.incidents.tell(
      code,
      connection.peer,
      `${terminal.laneName}, with ${packets[packet.name].words}`,
    );
    connection.refuse(RESULT.wrongPassword);
  };
  if (proven) compare();
  else connection.whenMayTry(passwordTries, compare);
}

function isRightPassword(connection: ZvtConnection, wanted: string, sent: Uint8Array): boolean {
  const { terminal, unjudgedPassword } = connection;
  connection.proven = isPassword(wanted, sent);
  connection.unjudgedPassword = null;
  if (unjudgedPassword === null) return connection.proven;
  // The registration was taken for this password, or has to be made again.
  if (!connection.proven) connection.completedRegistration = false;
  else if (connection.completedRegistration) terminal.agreed = connection.registration;
  return connection.proven;
}

export const registrationHandlers = {
  register,
  logOff(connection) {
    forgetRegistration(connection);
    connection.answer(positiveAnswer);
  },
  reset(connection) {
    forgetRegistration(connection);
    connection.answerAndSend(completion);
  },
  selectLanguage(connection, packet) {
    selectLanguage(connection, packet);
    connection.answerAndSend(completion);
  },
} as const satisfies Handlers;
