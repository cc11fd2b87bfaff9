/** What a till and its connection agree on before it pays: registration, language, password. */
import { completion, registrationCompletion, wrongCurrencyAnswer } from './answers.ts';
import { BMP } from './bitmaps.ts';
import type { ZvtConnection, Packet } from './connection.ts';
import { packets, password, positiveAnswer } from './packets.ts';
import { isPassword } from './permissions.ts';
import { agreedObjects, notRegistered, readRegistration } from './registration.ts';
import { RESULT } from './result-codes.ts';
import { inLanguage, languageChosen } from './till-language.ts';

/** 80 00 or 84 xx must come within T3 (5 s). */
const longestUnansweredMs = 4_000;

export function register(connection: ZvtConnection, { parts, fields }: Packet): void {
  const { terminal, peer } = connection;
  const { currency, profile, otherCurrencies } = terminal;
  const read = readRegistration(parts.get('config')?.[0] ?? 0, parts.get('currency'), fields, profile);
  const isOther = read === null || (read.currency !== null && read.currency !== currency);
  if (parts.has('currency')) otherCurrencies.named(peer.address, isOther);
  if (isOther) return connection.answer(wrongCurrencyAnswer(currency));
  const registration = inLanguage(read, connection.language);
  connection.registration = registration;
  if (connection.proven) terminal.agreed = registration;
  connection.answer(positiveAnswer);
  const agreed = registration.isMinimal ? completion : registrationCompletion(registration.currency, agreedObjects(fields, registration));
  void connection.exchange.send(agreed, {
    settled: (result) => {
      connection.registered = result === 'positive';
    },
  });
}

export function forgetRegistration(connection: ZvtConnection): void {
  const { terminal } = connection;
  connection.registration = inLanguage(notRegistered(terminal.profile), connection.language);
  connection.registered = false;
  if (connection.proven) terminal.agreed = null;
}

/**
 * Holds until another one is chosen, also across registrations. For other connections and the next start, only by the cable or one that has sent the
 * password.
 */
export function selectLanguage(connection: ZvtConnection, { parts }: Packet): void {
  const { terminal, peer } = connection;
  const language = languageChosen(parts);
  connection.language = language;
  connection.registration = inLanguage(connection.registration, language);
  if (!connection.proven && peer.kind !== 'serial') return;
  terminal.language = language;
  terminal.keepLanguage(language);
  if (terminal.agreed !== null) terminal.agreed = inLanguage(terminal.agreed, language);
}

/** Where the settings have a password, each that a command carries must be it; false when the command has been refused. */
export function acceptsPassword(connection: ZvtConnection, { name, parts, fields }: Packet): boolean {
  const { terminal, peer } = connection;
  const { permissions, passwordGuesses, incidents } = terminal;
  const sent = parts.get(password.name) ?? fields.get(BMP.password);
  if (permissions.password === undefined || sent === undefined) return true;
  if (!connection.proven && passwordGuesses.isBlocked(peer.address)) {
    connection.refuse(RESULT.pleaseWait);
    return false;
  }
  if (isPassword(permissions.password, sent)) {
    connection.proven = true;
    return true;
  }
  connection.proven = false;
  const delayMs = passwordGuesses.missed(peer.address);
  incidents.tell('tillPasswordWrong', peer, `with ${packets[name].words}`);
  connection.heldBack(Math.min(delayMs, longestUnansweredMs), () => connection.refuse(RESULT.wrongPassword));
  return false;
}
