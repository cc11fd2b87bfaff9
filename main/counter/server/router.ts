import {
  isProcedure,
  type OutputOf,
  type ParsedInputOf,
  type ProcedureName,
  procedures,
} from '../../../preload/procedures.ts';
import {
  type Answer,
  CommonRefusal,
  type Procedure,
  type Recorded,
  Refusal,
  type Who,
} from '../../../preload/procedures/procedure.ts';
import type { Log } from '../../core/domain/log.ts';
import { type BoundedLog, boundedLog } from '../../core/domain/bounded-log.ts';
import type { Session, SignedIn } from './session.ts';
import { messageOf } from '../../core/domain/errors.ts';

/**
 * An area's part of the procedures. @throws Refusal with one of the procedure's codes: nothing was
 * changed
 */
export type Handlers = {
  readonly [Name in ProcedureName]?: (
    input: ParsedInputOf<Name>,
    session: Session,
  ) => OutputOf<Name> | Promise<OutputOf<Name>>;
};

/** What happens to every call on its way to its handler. */
export interface Middleware {
  /**
   * Before the input is read. A manager's call also postpones the time after which they must sign
   * in again.
   */
  mayCall(who: Who, session: Session): boolean;
  /**
   * After the input is validated, before the handler runs. On disk when it returns. @throws when it
   * cannot be kept: the handler does not run
   */
  record(manager: SignedIn | null, procedure: string, facts: Recorded): void;
  /**
   * Called when a manager asked for something that is recorded, and it was not done. Never throws.
   */
  recordRefused(manager: SignedIn, procedure: string, facts: Recorded): void;
}

interface RouterOptions {
  readonly handlers: Handlers;
  readonly middleware: Middleware;
  readonly log: Log;
}

/**
 * Takes calls to their handlers: input and output are validated against the procedure's
 * declaration.
 */
export class Router {
  readonly #handlers: Handlers;
  readonly #middleware: Middleware;
  readonly #log: BoundedLog;

  constructor({ handlers, middleware, log }: RouterOptions) {
    this.#handlers = handlers;
    this.#middleware = middleware;
    this.#log = boundedLog(log);
  }

  /**
   * Never rejects. @param name @param input both unchecked @param connectionLog logs what the other
   * end causes
   */
  async call(
    session: Session,
    name: string,
    input: unknown,
    connectionLog?: Pick<Log, 'warn'>,
  ): Promise<Answer> {
    if (!isProcedure(name)) {
      connectionLog?.warn({ procedure: name }, 'a page called a procedure that does not exist');
      return refused('invalid', 'this is not a procedure of the contract');
    }
    const procedure: Procedure = procedures[name];
    // The manager of the moment of the call, because what is refused may also have signed the
    // manager out.
    const { manager } = session;
    let facts: Recorded = {};
    try {
      if (!this.#middleware.mayCall(procedure.who, session))
        return refused('pinNeeded', 'a manager must sign in first');
      const parsed = procedure.input.safeParse(input);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const invalid = {
          ...refused('invalid', issue?.message ?? 'is not valid'),
          field: issue?.path.join('.') || null,
        };
        return this.#refused(manager, name, procedure, facts, invalid);
      }
      facts = procedure.records?.(parsed.data) ?? {};
      // The input was parsed by the schema of the same procedure, which the compiler cannot follow
      // through the table.
      const handler = this.#handlers[name] as
        | ((input: unknown, session: Session) => unknown)
        | undefined;
      if (handler === undefined)
        return refused('notHere', 'this daemon does not have this procedure');
      this.#record(manager, name, procedure, facts);
      return { ok: true, value: procedure.output.parse(await handler(parsed.data, session)) };
    } catch (error) {
      return this.#refused(manager, name, procedure, facts, this.#failed(name, procedure, error));
    }
  }

  /**
   * What the shop's manager tried is kept beside what was done. What was typed wrong is not kept:
   * it may be anything.
   */
  #refused(
    manager: SignedIn | null,
    name: string,
    { records }: Procedure,
    facts: Recorded,
    answer: RefusedAnswer,
  ): Answer {
    if (manager !== null && records !== undefined && answer.code !== 'pinNeeded')
      this.#middleware.recordRefused(manager, name, {
        ...facts,
        refused: answer.code,
        ...(answer.field !== null && { field: answer.field }),
      });
    return answer;
  }

  #record(
    manager: SignedIn | null,
    name: string,
    { records, readOnly }: Procedure,
    facts: Recorded,
  ): void {
    if (records === undefined) return;
    try {
      this.#middleware.record(manager, name, facts);
    } catch (error) {
      if (readOnly !== true) throw error;
      this.#log.error(
        { procedure: name, managerId: manager?.managerId, detail: messageOf(error) },
        'the action of a manager could not be written to the journal',
      );
    }
  }

  #failed(name: string, { refusals }: Procedure, error: unknown): RefusedAnswer {
    if (
      error instanceof Refusal &&
      (refusals.includes(error.code) || CommonRefusal.safeParse(error.code).success)
    ) {
      const { code, field, message, facts } = error;
      return { ok: false, code, field, message, facts };
    }
    this.#log.error(
      { procedure: name, error: error instanceof Error ? error.stack : String(error) },
      'a procedure failed',
    );
    return refused('failed', error instanceof Error ? error.message : String(error));
  }
}

type RefusedAnswer = Extract<Answer, { ok: false }>;

function refused(code: CommonRefusal, message: string): RefusedAnswer {
  return { ok: false, code, field: null, message, facts: {} };
}
