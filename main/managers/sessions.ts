import { type Recorded, Refusal, type Who } from '../../preload/questions/question.ts';
import type { Cancel, Clock } from '../primitives/clock.ts';
import type { Log } from '../primitives/log.ts';
import type { Notices } from '../primitives/notices.ts';
import type { Guard, Session } from '../screens/session.ts';
import type { ActionBook } from './action-book.ts';
import type { Manager, Managers } from './managers.ts';

type WhySignedOut = 'asked' | 'idle' | 'dayOver' | 'screenClosed' | 'anotherSignedIn' | 'removed' | 'pinChanged';

/** Who is wrong once or twice has mistyped it. */
const triesLeftOfGuessing = 2;

/** In which they do nothing. */
export const usualSignsOutAfterMs = 5 * 60_000;
/** Whatever they do. */
const longestSessionMs = 12 * 60 * 60_000;

interface SessionsOptions {
  readonly managers: Managers;
  readonly book: ActionBook;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
  readonly signsOutAfterMs: number;
}

/** Who is signed in at which screen: each by a PIN of their own, and only as long as they do something. */
export class Sessions implements Guard {
  readonly #options: SessionsOptions;
  readonly #signedIn = new Map<Session, { readonly manager: Manager; idle: Cancel; readonly end: Cancel }>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  mayAsk(who: Who, session: Session): boolean {
    // A page asks by itself what anyone may: that is no sign of anybody.
    if (who === 'manager') this.renew(session);
    switch (who) {
      case 'anyone':
        return true;
      case 'manager':
        return session.manager !== null;
      case 'installer':
        return session.manager !== null || this.#options.managers.list().length === 0;
    }
  }

  record(manager: Manager | null, question: string, facts: Recorded): void {
    this.#options.book.record(manager, question, facts);
  }

  /** @throws Refusal */
  async signIn(session: Session, managerId: string, pin: string): Promise<Manager> {
    const { managers } = this.#options;
    const tried = await managers.tryPin(managerId, pin);
    switch (tried.kind) {
      case 'unknown':
        throw new Refusal('notFound', 'there is no such manager any more');
      case 'wrong':
        this.#tellWrong(session, managerId, 'a wrong PIN', 'wrongPin', { triesLeft: tried.triesLeft });
        if (tried.triesLeft <= triesLeftOfGuessing) this.#notice(session, managerId);
        throw new Refusal('wrongPin', 'this is not the PIN', { field: 'pin', facts: { triesLeft: tried.triesLeft } });
      case 'locked': {
        const seconds = Math.ceil(tried.leftMs / 1000);
        if (tried.now) {
          this.#tellWrong(session, managerId, 'too many wrong PINs: locked', 'locked', { seconds });
          this.#notice(session, managerId);
        }
        throw new Refusal('locked', `too many wrong tries: locked for ${seconds} s`, { field: 'pin', facts: { seconds } });
      }
      case 'right':
        this.enter(session, tried.manager);
        return tried.manager;
    }
  }

  enter(session: Session, manager: Manager): void {
    if (session.manager !== null) this.signOut(session, 'anotherSignedIn');
    session.manager = manager;
    const end = this.#options.clock.after(longestSessionMs, () => this.signOut(session, 'dayOver'));
    this.#signedIn.set(session, { manager, idle: this.#signOutLater(session), end });
    this.#tell(manager, 'signIn', {});
  }

  signOut(session: Session, because: WhySignedOut = 'asked'): void {
    session.manager = null;
    const signedIn = this.#signedIn.get(session);
    if (signedIn === undefined) return;
    signedIn.idle();
    signedIn.end();
    this.#signedIn.delete(session);
    this.#tell(signedIn.manager, 'signOut', { because });
  }

  /** Whoever knew the old PIN, or was a manager, is none any more; at whichever screen. */
  signOutManager(managerId: string, because: 'removed' | 'pinChanged', except: Session | null = null): void {
    for (const [session, { manager }] of this.#signedIn) if (manager.managerId === managerId && session !== except) this.signOut(session, because);
  }

  /** Somebody is there. */
  renew(session: Session): void {
    const signedIn = this.#signedIn.get(session);
    if (signedIn === undefined) return;
    signedIn.idle();
    signedIn.idle = this.#signOutLater(session);
  }

  #signOutLater(session: Session): Cancel {
    return this.#options.clock.after(this.#options.signsOutAfterMs, () => this.signOut(session, session.manager === null ? 'screenClosed' : 'idle'));
  }

  /** Of what finds it locked nothing is written down: that could be a flood. */
  #tellWrong({ address, screen }: Session, managerId: string, message: string, action: string, facts: Recorded): void {
    const manager = this.#find(managerId);
    const about = { address: address ?? null, screen: screen ?? null, ...facts };
    this.#options.log.warn({ manager: manager?.name, ...about }, message);
    this.#tell(manager, action, about);
  }

  #notice({ address, screen }: Session, managerId: string): void {
    const manager = this.#find(managerId);
    if (manager !== null) this.#options.notices.raise({ code: 'wrongPins', subject: manager.name, detail: [screen, address].filter(Boolean).join(', ') });
  }

  #find(managerId: string): Manager | null {
    return this.#options.managers.list().find((one) => one.managerId === managerId) ?? null;
  }

  /** Coming and going is written down as well as can be; what a manager does is not done unless it is ({@link record}). */
  #tell(manager: Manager | null, action: string, facts: Recorded): void {
    try {
      this.#options.book.record(manager, action, facts);
    } catch (error) {
      this.#options.log.error(
        { action, managerId: manager?.managerId, detail: (error as Error).message },
        'what a manager did could not be written to the journal',
      );
    }
  }
}
