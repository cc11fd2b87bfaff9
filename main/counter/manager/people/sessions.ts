import { createHash } from 'node:crypto';
import { type Recorded, Refusal, type Who } from '../../../../preload/procedures/procedure.ts';
import type { Cancel, Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import type { Notices } from '../../../core/domain/notices.ts';
import type { Middleware } from '../../server/router.ts';
import type { Session } from '../../server/session.ts';
import type { ActionLog } from './action-log.ts';
import type { FirstManager } from './first-manager.ts';
import type { Manager, Managers } from './managers.ts';
import { messageOf } from '../../../core/domain/errors.ts';

type WhySignedOut =
  | 'asked'
  | 'passedOn'
  | 'idle'
  | 'dayOver'
  | 'screenClosed'
  | 'anotherSignedIn'
  | 'removed'
  | 'pinChanged';

/** Fewer wrong PINs are typing mistakes. */
const triesLeftOfGuessing = 2;

/** Idle time after which a session ends. */
export const defaultSignsOutAfterMs = 5 * 60_000;
/**
 * Refused actions that are kept in an hour: more than a person can cause, and no page can fill the
 * disk with them.
 */
export const maxRefusalsPerHour = 60;
const hourMs = 60 * 60_000;
/** Longest duration of a session. */
const maxSessionMs = 12 * 60 * 60_000;
/** A page of the same window is there sooner. */
export const passOnMs = 20_000;

interface SessionsOptions {
  readonly managers: Managers;
  readonly firstManager: FirstManager;
  readonly actions: ActionLog;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
  readonly signsOutAfterMs: number;
}

/** The managers who are signed in, by screen. Idle sessions end. */
export class Sessions implements Middleware {
  readonly #options: SessionsOptions;
  /** `manager` is null for somebody who may create the first manager. */
  readonly #signedIn = new Map<
    Session,
    {
      readonly manager: Manager | null;
      idle: Cancel;
      readonly end: Cancel;
      readonly endsMs: number;
    }
  >();
  /** Sign-ins on their way to the next page, by the SHA-256 of their tickets. */
  readonly #passedOn = new Map<
    string,
    {
      readonly manager: Manager;
      readonly from: Session;
      readonly endsMs: number;
      readonly forget: Cancel;
    }
  >();
  /**
   * Screens at which the one-time code was typed, and those that have to ask for it before there
   * are settings.
   */
  readonly #vouchedFor = new WeakSet<Session>();
  readonly #asksForCode = new WeakSet<Session>();
  /** Refusals at all screens together; `notKept` is recorded with the first one of a later hour. */
  #refusals = { sinceMs: 0, kept: 0, notKept: 0 };

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  mayCall(who: Who, session: Session): boolean {
    // Pages call public procedures by themselves, so these do not count as activity.
    if (who === 'manager') this.renew(session);
    switch (who) {
      case 'anyone':
        return true;
      case 'manager':
        return session.manager !== null;
      case 'installer':
        return session.manager !== null || this.#mayBeFirst(session);
    }
  }

  #mayBeFirst(session: Session): boolean {
    const { firstManager } = this.#options;
    return (
      firstManager.isMissing &&
      (!firstManager.needsCode || this.#signedIn.get(session)?.manager === null)
    );
  }

  /** Path of the one-time code that this screen must ask for first; null when none is needed. */
  codeFile(session: Session): string | null {
    const { firstManager } = this.#options;
    if (firstManager.announce() === null) return null;
    const mustAsk =
      (firstManager.needsCode && !this.#mayBeFirst(session)) ||
      (this.#asksForCode.has(session) && !this.#vouchedFor.has(session));
    return mustAsk ? firstManager.path : null;
  }

  /**
   * Other computers reach what a person has set up, and not what any program of this one asks for.
   * Persons are a manager of a counter with settings, a window of this program, and who has typed
   * the one-time code, which only somebody with access to the daemon's log or data folder can read.
   * @throws Refusal pinNeeded; then {@link codeFile} says which code this screen asks for
   */
  requirePerson(session: Session): void {
    const { firstManager } = this.#options;
    const isPerson =
      session.address === undefined ||
      (firstManager.isSetUp && session.manager !== null) ||
      this.#vouchedFor.has(session);
    if (isPerson) return;
    this.#asksForCode.add(session);
    firstManager.wantCode();
    throw new Refusal(
      'pinNeeded',
      'other computers would reach it: the one-time code from the data folder has to be typed first',
    );
  }

  /** @throws Refusal */
  enterCode(session: Session, typed: string): void {
    const { firstManager } = this.#options;
    if (!firstManager.takesCode) throw new Refusal('pinNeeded', 'no code is needed: sign in');
    const tried = firstManager.try(typed);
    if (tried.kind === 'right') {
      if (session.manager === null) this.#keep(session, null);
      this.#vouchedFor.add(session);
      return;
    }
    const triesLeft = tried.kind === 'wrong' ? tried.triesLeft : 0;
    if (tried.kind === 'wrong' || tried.now)
      this.#recordWrong(session, null, 'a wrong one-time code', 'wrongCode', { triesLeft });
    if (tried.kind === 'wrong')
      throw new Refusal('wrongCode', 'this is not the code', {
        field: 'code',
        facts: { triesLeft },
      });
    throw locked(tried.leftMs, 'code');
  }

  /**
   * Lets the installer create the first manager. @returns the code for anybody else, or null when
   * there is a manager
   */
  handOver(session: Session): string | null {
    const code = this.#options.firstManager.announce();
    if (code !== null) this.#keep(session, null);
    return code;
  }

  record(manager: Manager | null, procedure: string, facts: Recorded): void {
    this.#options.actions.record(manager, procedure, facts);
  }

  /**
   * Recorded as the action `refused`, because the action itself is only recorded when it is about
   * to be done.
   */
  recordRefused(manager: Manager, procedure: string, facts: Recorded): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#refusals.sinceMs >= hourMs)
      this.#refusals = { ...this.#refusals, sinceMs: nowMs, kept: 0 };
    if (this.#refusals.kept >= maxRefusalsPerHour) {
      this.#refusals.notKept += 1;
      return;
    }
    const { notKept } = this.#refusals;
    this.#refusals.kept += 1;
    this.#refusals.notKept = 0;
    this.#recordSession(manager, 'refused', {
      procedure,
      ...facts,
      ...(notKept > 0 && { notKept }),
    });
  }

  /** @throws Refusal */
  async signIn(
    session: Session,
    {
      managerId,
      pin,
      screenToken,
    }: { readonly managerId: string; readonly pin: string; readonly screenToken: string | null },
  ): Promise<Manager> {
    const { managers } = this.#options;
    const tried = await managers.tryPin(managerId, pin, screenToken);
    switch (tried.kind) {
      case 'unknown':
        throw new Refusal('notFound', 'there is no such manager any more');
      case 'wrong':
        this.#recordWrong(session, managerId, 'a wrong PIN', 'wrongPin', {
          triesLeft: tried.triesLeft,
        });
        if (tried.triesLeft <= triesLeftOfGuessing) this.#notice(session, managerId);
        throw new Refusal('wrongPin', 'this is not the PIN', {
          field: 'pin',
          facts: { triesLeft: tried.triesLeft },
        });
      case 'locked': {
        const refusal = locked(tried.leftMs, 'pin');
        if (tried.now) {
          this.#recordWrong(
            session,
            managerId,
            'too many wrong PINs: locked',
            'locked',
            refusal.facts,
          );
          this.#notice(session, managerId);
        }
        throw refusal;
      }
      case 'right':
        this.#keep(session, tried.manager);
        return tried.manager;
    }
  }

  /**
   * A link, or the browser's Back, from one page of managers to another would end the sign-in with
   * the page. It is passed on with a ticket of the page instead, which only the next page of the
   * same window can read: for once, within seconds, and not longer than the sign-in itself would
   * last. @throws Refusal
   */
  passOn(session: Session, ticket: string): void {
    const signedIn = this.#signedIn.get(session);
    if (signedIn?.manager == null) throw new Refusal('pinNeeded', 'nobody is signed in');
    this.#forgetTickets(({ from }) => from === session);
    const key = hashOf(ticket);
    if (this.#passedOn.has(key))
      throw new Refusal('pinNeeded', 'another page has passed its sign-in on with this ticket');
    const forget = this.#options.clock.after(
      passOnMs,
      () => this.#passedOn.delete(key),
      'elapsedMs',
    );
    this.#passedOn.set(key, {
      manager: signedIn.manager,
      from: session,
      endsMs: signedIn.endsMs,
      forget,
    });
  }

  /** @throws Refusal */
  takeOver(session: Session, ticket: string): void {
    const key = hashOf(ticket);
    const passed = this.#passedOn.get(key);
    // The app's windows are not reached by programs of this computer, and their tickets are not to
    // be either.
    const isAlike = (passed?.from.address === undefined) === (session.address === undefined);
    if (passed === undefined || !isAlike)
      throw new Refusal('notFound', 'no sign-in is passed on with this ticket');
    passed.forget();
    this.#passedOn.delete(key);
    this.signOut(passed.from, 'passedOn');
    this.#keep(session, passed.manager, { passedOn: true }, passed.endsMs);
  }

  #forgetTickets(
    isMeant: (passed: { readonly manager: Manager; readonly from: Session }) => boolean,
  ): void {
    for (const [key, passed] of this.#passedOn) {
      if (!isMeant(passed)) continue;
      passed.forget();
      this.#passedOn.delete(key);
    }
  }

  enterAsFirst(session: Session, manager: Manager): void {
    this.#keep(session, manager);
    this.#options.log.warn(
      { manager: manager.name, ...pageOf(session) },
      'the first manager was made',
    );
    // The used code is invalid now: announce the next one.
    this.#options.firstManager.announce();
  }

  #keep(
    session: Session,
    manager: Manager | null,
    facts: Recorded = {},
    endsMs = this.#options.clock.elapsedMs() + maxSessionMs,
  ): void {
    if (this.#signedIn.has(session)) this.signOut(session, 'anotherSignedIn');
    session.manager = manager;
    const { clock } = this.#options;
    const end = clock.after(
      Math.max(0, endsMs - clock.elapsedMs()),
      () => this.signOut(session, 'dayOver'),
      'elapsedMs',
    );
    this.#signedIn.set(session, { manager, idle: this.#signOutLater(session), end, endsMs });
    this.#recordSession(manager, manager === null ? 'installerSignIn' : 'signIn', facts);
  }

  signOut(session: Session, because: WhySignedOut = 'asked'): void {
    session.manager = null;
    this.#vouchedFor.delete(session);
    this.#forgetTickets(({ from }) => from === session);
    const signedIn = this.#signedIn.get(session);
    if (signedIn === undefined) return;
    signedIn.idle();
    signedIn.end();
    this.#signedIn.delete(session);
    this.#recordSession(signedIn.manager, 'signOut', { because });
  }

  /** Ends a manager's sessions at all screens, after a changed PIN or a removal. */
  signOutManager(
    managerId: string,
    because: 'removed' | 'pinChanged',
    except: Session | null = null,
  ): void {
    this.#forgetTickets(({ manager }) => manager.managerId === managerId);
    for (const [session, { manager }] of this.#signedIn)
      if (manager?.managerId === managerId && session !== except) this.signOut(session, because);
  }

  /** Restarts the idle timer. */
  renew(session: Session): void {
    const signedIn = this.#signedIn.get(session);
    if (signedIn === undefined) return;
    signedIn.idle();
    signedIn.idle = this.#signOutLater(session);
  }

  #signOutLater(session: Session): Cancel {
    const end = (): void =>
      this.signOut(session, session.manager === null ? 'screenClosed' : 'idle');
    // Nobody is still there when the computer wakes up.
    return this.#options.clock.after(this.#options.signsOutAfterMs, end, 'elapsedMs');
  }

  /** Attempts during a lock are not recorded, because they could be a flood. */
  #recordWrong(
    session: Session,
    managerId: string | null,
    message: string,
    action: string,
    facts: Recorded,
  ): void {
    const manager = managerId === null ? null : this.#find(managerId);
    const about = { ...pageOf(session), ...facts };
    this.#options.log.warn(manager === null ? about : { manager: manager.name, ...about }, message);
    this.#recordSession(manager, action, about);
  }

  #notice({ address, screen }: Session, managerId: string): void {
    const manager = this.#find(managerId);
    if (manager !== null)
      this.#options.notices.raise({
        code: 'wrongPins',
        subject: manager.name,
        detail: [screen, address].filter(Boolean).join(', '),
      });
  }

  #find(managerId: string): Manager | null {
    return this.#options.managers.list().find((one) => one.managerId === managerId) ?? null;
  }

  /**
   * Sign-ins and sign-outs are recorded if possible; actions are refused when they cannot be
   * recorded ({@link record}).
   */
  #recordSession(manager: Manager | null, action: string, facts: Recorded): void {
    try {
      this.#options.actions.record(manager, action, facts);
    } catch (error) {
      this.#options.log.error(
        { action, managerId: manager?.managerId, detail: messageOf(error) },
        'the action of a manager could not be written to the journal',
      );
    }
  }
}

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex');

const pageOf = ({ address, screen }: Session): Recorded => ({
  address: address ?? null,
  screen: screen ?? null,
});

function locked(leftMs: number, field: string): Refusal {
  const seconds = Math.ceil(leftMs / 1000);
  return new Refusal('locked', `too many wrong tries: locked for ${seconds} s`, {
    field,
    facts: { seconds },
  });
}
