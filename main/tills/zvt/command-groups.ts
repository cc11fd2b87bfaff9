/** What all commands of a group have in common. */
export interface Group {
  /** Whether such a command is refused while another one runs. */
  readonly runsAlone: boolean;
  readonly movesMoney: boolean;
  /** Whether the journal is read or written for it. */
  readonly usesJournal: boolean;
  /**
   * Whether it goes on without the password while somebody guesses it: a payment needs none, and
   * what a service command changes is of its connection alone. What moves money back, or tells of
   * other payments, is held back.
   */
  readonly goesOnWithoutPassword: boolean;
}

const money = { runsAlone: true, movesMoney: true, usesJournal: true } as const;
const besideOthers = { runsAlone: false, movesMoney: false, usesJournal: false } as const;

export const groups = {
  payment: { ...money, goesOnWithoutPassword: true },
  reservation: { ...money, goesOnWithoutPassword: true },
  refund: { ...money, goesOnWithoutPassword: false },
  /** Captures or releases a reservation. */
  booking: { ...money, goesOnWithoutPassword: false },
  /** Tells or prints what was decided before. */
  report: { ...money, movesMoney: false, goesOnWithoutPassword: false },
  service: {
    runsAlone: true,
    movesMoney: false,
    usesJournal: false,
    goesOnWithoutPassword: true,
  },
  enquiry: { ...besideOthers, goesOnWithoutPassword: true },
  beside: { ...besideOthers, goesOnWithoutPassword: false },
  /** Refused, also while another command runs: "please wait" would let the till ask without end. */
  unsupported: { ...besideOthers, goesOnWithoutPassword: false },
  /** Sent by the terminal. A till that sends one is refused like an unsupported command. */
  sent: { ...besideOthers, goesOnWithoutPassword: false },
} as const satisfies Record<string, Group>;
