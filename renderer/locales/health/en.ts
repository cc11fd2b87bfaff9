import type { Health, HealthState } from '../../../preload/procedures/health.ts';

interface Said {
  readonly what: string;
  /** Empty: nothing to do. */
  readonly next: string;
}
type Codes<Part extends 'service' | 'credentials' | 'disk' | 'journal'> = Readonly<Record<Health[Part]['code'], Said>>;

export interface HealthTexts {
  readonly overall: Readonly<Record<HealthState, string>>;
  readonly state: Readonly<Record<HealthState, string>>;
  readonly asOf: (time: string) => string;
  readonly lookAgain: string;
  readonly parts: {
    readonly unsettled: string;
    readonly service: string;
    readonly lanes: string;
    readonly storage: string;
    readonly notices: string;
    readonly software: string;
  };
  readonly service: Codes<'service'>;
  readonly credentials: Codes<'credentials'>;
  readonly laneOpen: string;
  readonly till: Readonly<Record<Health['tills'][number]['code'], Said>>;
  readonly disk: Codes<'disk'>;
  readonly journal: Codes<'journal'>;
  readonly notices: Readonly<Record<Health['notices'][number]['code'], Said>>;
  /** A manager ends the warning of damage that is repaired. */
  readonly damageNoted: { readonly ask: string; readonly title: string; readonly body: string; readonly notYet: string; readonly confirm: string };
  readonly running: string;
  readonly nothingUnsettled: string;
  readonly fact: {
    readonly since: string;
    readonly lastAnswer: string;
    readonly address: string;
    readonly free: string;
    readonly size: string;
    readonly reserve: string;
    readonly checked: string;
    readonly damaged: string;
    readonly lostSales: string;
    readonly version: string;
    readonly node: string;
    readonly electron: string;
    readonly platform: string;
    readonly started: string;
    readonly memory: string;
    readonly about: string;
    readonly times: string;
    readonly lastTime: string;
  };
  readonly yes: string;
  readonly no: string;
  readonly notYet: string;
  readonly of: (part: string, whole: string) => string;
  readonly diagnostics: {
    readonly title: string;
    readonly lead: string;
    readonly show: string;
    readonly holds: string;
    readonly health: string;
    readonly settings: string;
    readonly log: (lines: string) => string;
    readonly journal: (sales: string, since: string) => string;
    readonly never: string;
    readonly make: string;
    readonly making: string;
    readonly fetching: string;
    readonly saved: (name: string) => string;
    readonly failed: string;
  };
}

export const en: HealthTexts = {
  overall: { ok: 'Everything works', attention: 'It works, but something needs a look', broken: 'Something does not work' },
  state: { ok: 'In order', attention: 'Needs a look', broken: 'Does not work' },
  asOf: (time) => `As of ${time}`,
  lookAgain: 'Look again',
  parts: {
    unsettled: 'Money that is not settled',
    service: 'Wallet service',
    lanes: 'Lanes and tills',
    storage: 'This computer’s disk',
    notices: 'Security',
    software: 'Software',
  },
  service: {
    reachable: { what: 'The wallet service answers', next: '' },
    unreachable: { what: 'The wallet service does not answer', next: 'Check the internet connection. It connects by itself when it is back.' },
    notAsked: { what: 'The wallet service has not been asked yet', next: 'Look again in a moment.' },
    notSetUp: { what: 'This counter is not set up yet', next: 'Open the setup: it takes a few minutes.' },
  },
  credentials: {
    accepted: { what: 'Our credentials are accepted', next: '' },
    refused: {
      what: 'Our credentials are refused',
      next: 'The client id or client secret is wrong or has expired. Enter new ones in the setup, or call support.',
    },
    notTried: { what: 'Our credentials have not been tried yet', next: 'Look again in a moment.' },
  },
  laneOpen: 'Takes payments',
  till: {
    absent: { what: 'The till cannot be reached', next: 'Check the cable between this computer and the till.' },
    open: { what: 'Waiting for the till', next: 'If the till is switched on, check the cable and that “payment terminal” is chosen in its settings.' },
    connected: { what: 'The till is connected', next: '' },
  },
  disk: {
    enough: { what: 'There is enough room on the disk', next: '' },
    low: { what: 'The disk is filling up', next: 'Delete files that nobody needs, or call support before it is full.' },
    full: { what: 'The disk is full', next: 'New payments cannot start. Delete files that nobody needs, at once.' },
    unknown: { what: 'The free space could not be determined', next: 'Call support if payments cannot be stored.' },
  },
  journal: {
    whole: { what: 'The payment journal is whole', next: '' },
    repaired: { what: 'The payment journal was damaged and is repaired', next: 'Nothing was lost. Tell support: the disk may be failing.' },
    salesLost: { what: 'The payment journal was damaged, and some payments could not be read', next: 'Call support before refunding anything.' },
    damaged: { what: 'The payment journal is damaged', next: 'Restart Tillbeacon when no payment is under way: it is repaired then. Call support.' },
    cannotWrite: { what: 'The payment journal cannot be written to', next: 'No payment can start. Make room on the disk, or call support.' },
  },
  notices: {
    tillStranger: {
      what: 'Something that is not a till spoke to the till’s port and was cut off',
      next: 'Close web pages and programs that you do not know on this computer. Enter the till’s address and password in the setup, and tell support.',
    },
    tillAddressRefused: {
      what: 'A device that may not connect as a till was turned away',
      next: 'If it is your till, add its address in the setup, under the lane’s till. Otherwise tell support.',
    },
    tillPasswordWrong: {
      what: 'A till sent a wrong password',
      next: 'Enter the same six digits at the till and in the setup, under the lane’s till.',
    },
    tillReceiptsGuessed: {
      what: 'A till asked to refund receipts that do not exist',
      next: 'If nobody at the till mistyped receipt numbers, tell support at once.',
    },
    tillRefundRefused: {
      what: 'A till asked for a refund that it may not make',
      next: 'Refund it on the manager’s page, or change in the setup what this till may refund.',
    },
    wrongPins: {
      what: 'Wrong PINs were entered',
      next: 'If it was none of you, change the PINs on the People page.',
    },
    fileReadable: {
      what: 'Other users of this computer can read or change files of Tillbeacon',
      next: 'Have support run the command below.',
    },
    testService: {
      what: 'The wallet service’s certificates are not checked: this is for test services only',
      next: 'Before real payments, remove “testService” from the settings.',
    },
  },
  damageNoted: {
    ask: 'Support has been told …',
    title: 'Has support been told?',
    body: 'The warning then ends on every screen, and the journal keeps who ended it. Payments that could not be read stay on record for support.',
    notYet: 'Not yet',
    confirm: 'Yes, end the warning',
  },
  running: 'Tillbeacon is running',
  nothingUnsettled: 'All money is settled.',
  fact: {
    since: 'Since',
    lastAnswer: 'Last answer',
    address: 'Address',
    free: 'Free',
    size: 'Size of the journal',
    reserve: 'Reserve for a full disk',
    checked: 'Last read through',
    damaged: 'Damage found',
    lostSales: 'Payments lost',
    version: 'Version',
    node: 'Node.js',
    electron: 'Electron',
    platform: 'System',
    started: 'Running since',
    memory: 'Memory in use',
    about: 'About',
    times: 'How often',
    lastTime: 'Last time',
  },
  yes: 'Yes',
  no: 'No',
  notYet: 'Not yet',
  of: (part, whole) => `${part} of ${whole}`,
  diagnostics: {
    title: 'Diagnostics for support',
    lead: 'One file that shows support how this counter is doing. You see what is in it before it is made; you send it yourself.',
    show: 'Show what is in it',
    holds: 'The file holds:',
    health: 'this page: service, tills, disk, versions',
    settings: 'the settings, without secrets',
    log: (lines) => `the newest ${lines} lines of the log`,
    journal: (sales, since) => `what happened to ${sales} payments since ${since}: states, amounts, times and ids`,
    never: 'Never in it: passwords and keys, PINs, names, telephone numbers, loyalty ids.',
    make: 'Make the file',
    making: 'The file is being made',
    fetching: 'The file is being saved',
    saved: (name) => `Saved as ${name}. Send it to support.`,
    failed: 'The file could not be saved. Try again.',
  },
};
