import type { PinWeakness } from '../../../preload/procedures/pin.ts';
import type { CommonRefusal } from '../../../preload/procedures/procedure.ts';

/** The frame around the manager's pages, the sign-in, and the page of people. */
export interface ManagerTexts {
  readonly title: string;
  /** Of the side navigation. */
  readonly pages: string;
  readonly page: Readonly<Record<'refunds' | 'day' | 'reconciliation' | 'health' | 'people', string>>;
  readonly toCashier: string;
  readonly signOut: string;
  readonly signedInAs: (name: string) => string;
  /** Of who is signed in: it was chosen when any was allowed. */
  readonly weakPin: string;
  /** Before the sentence about money that is not settled, where it is another lane's. */
  readonly atLane: (name: string) => string;
  /** What a question is refused for, whichever it was. */
  readonly refusal: Readonly<Record<CommonRefusal, string>>;
  readonly signIn: {
    readonly title: string;
    readonly who: string;
    readonly pin: (name: string) => string;
    readonly enter: string;
    readonly somebodyElse: string;
    readonly forgotten: string;
    readonly wrongPin: (triesLeft: number) => string;
    /** `inTime` from Intl, e.g. "1 minute, 20 seconds". */
    readonly locked: (inTime: string) => string;
    readonly lockedTitle: string;
    /** Nobody asked anything for a while. */
    readonly signedOut: string;
  };
  readonly first: {
    readonly title: string;
    readonly lead: string;
    readonly create: string;
    /** Of a counter that has settings: who may make its first manager. */
    readonly code: {
      readonly lead: string;
      readonly where: (path: string) => string;
      readonly label: string;
      readonly empty: string;
      readonly wrong: (triesLeft: number) => string;
      readonly lockedTitle: string;
    };
  };
  readonly newManager: {
    readonly name: string;
    readonly nameHint: string;
    readonly next: string;
    readonly choosePin: string;
    readonly pinHint: string;
    readonly weakPin: Readonly<Record<PinWeakness, string>>;
    readonly repeatPin: string;
    readonly save: string;
    readonly back: string;
    readonly differ: string;
    readonly nameEmpty: string;
    readonly nameTooLong: string;
    readonly nameNotAllowed: string;
    readonly nameTaken: string;
  };
  readonly people: {
    readonly lead: string;
    readonly you: string;
    readonly add: string;
    readonly addTitle: string;
    readonly changePin: string;
    readonly changePinTitle: (name: string) => string;
    readonly remove: string;
    readonly removeTitle: (name: string) => string;
    readonly removeBody: string;
    readonly removeYourself: string;
    readonly lastManager: string;
    readonly added: (name: string) => string;
    readonly changed: (name: string) => string;
    readonly removed: (name: string) => string;
  };
}

export const en: ManagerTexts = {
  title: 'Manager',
  pages: 'Pages',
  page: { refunds: 'Refunds', day: 'Day', reconciliation: 'Reconciliation', health: 'Health', people: 'People' },
  toCashier: 'Cashier’s screen',
  signOut: 'Sign out',
  signedInAs: (name) => `Signed in: ${name}`,
  weakPin: 'Your PIN is easy to guess. Choose another one under People.',
  atLane: (name) => `${name}:`,
  refusal: {
    pinNeeded: 'Sign in first.',
    invalid: 'That is not possible as it is. Check what you typed.',
    notFound: 'That is no longer there. Look again.',
    busy: 'Not while a payment is under way. Try again when it has ended.',
    notHere: 'This counter cannot do that yet.',
    failed: 'That did not work. Try again; call support if it happens again.',
    disconnected: 'The connection was lost. It is not known whether it was done: check before you try again.',
  },
  signIn: {
    title: 'Sign in',
    who: 'Who are you?',
    pin: (name) => `PIN of ${name}`,
    enter: 'Sign in',
    somebodyElse: 'Somebody else',
    forgotten: 'PIN forgotten? Another manager can give you a new one under People.',
    wrongPin: (triesLeft) => `That is not the PIN. ${triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`} left, then it is locked for a while.`,
    locked: (inTime) => `You can try again in ${inTime}.`,
    lockedTitle: 'Locked after five wrong PINs',
    signedOut: 'You were signed out. Your page is as you left it.',
  },
  first: {
    title: 'Who manages this counter?',
    lead: 'Refunds, closing the day and changing settings need a manager’s PIN. Choose yours now; more managers can be added later.',
    create: 'Create',
    code: {
      lead: 'This counter is set up and has no manager yet. The first one is made with a one-time code.',
      where: (path) =>
        `You find it in Tillbeacon’s log on this computer (on Linux: journalctl) and in the file ${path}. If you cannot get there, ask whoever set up this counter.`,
      label: 'One-time code',
      empty: 'Type the code.',
      wrong: (triesLeft) => `That is not the code. ${triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`} left, then it is locked for a minute.`,
      lockedTitle: 'Locked after five wrong codes',
    },
  },
  newManager: {
    name: 'Name',
    nameHint: 'As colleagues use it. It is kept in the journal with what is done.',
    next: 'Next',
    choosePin: 'Choose a PIN of 4 to 8 digits',
    pinHint: 'A PIN of six digits is best. It must not be easy to guess, as 1234, 1111 or a year are.',
    weakPin: {
      repeated: 'A PIN that repeats the same digits is easy to guess. Choose another one.',
      run: 'A PIN that counts up or down is easy to guess. Choose another one.',
      year: 'A year is easy to guess. Choose another PIN.',
    },
    repeatPin: 'The same PIN once more',
    save: 'Save',
    back: 'Back',
    differ: 'The two PINs differ. Choose one again.',
    nameEmpty: 'Type a name.',
    nameTooLong: 'A name has at most 40 characters. Shorten it.',
    nameNotAllowed: 'Use letters, digits and spaces.',
    nameTaken: 'There is a manager with this name already. Choose another one.',
  },
  people: {
    lead: 'Every manager has a PIN of their own. What they do is kept in the journal with their name.',
    you: 'You',
    add: 'Add a manager',
    addTitle: 'A new manager',
    changePin: 'Change PIN',
    changePinTitle: (name) => `A new PIN for ${name}`,
    remove: 'Remove',
    removeTitle: (name) => `Remove ${name}?`,
    removeBody: 'The PIN stops working at once. What was done stays in the journal.',
    removeYourself: 'This is you: you will be signed out.',
    lastManager: 'The last manager cannot be removed. Add another one first.',
    added: (name) => `${name} has been added.`,
    changed: (name) => `${name} has a new PIN.`,
    removed: (name) => `${name} has been removed.`,
  },
};
