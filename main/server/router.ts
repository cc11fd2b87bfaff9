import { type Answered, type Asked, isQuestion, type QuestionName, questions } from '../../preload/procedures.ts';
import { type Answer, CommonRefusal, type Procedure, Refusal } from '../../preload/procedures/procedure.ts';
import type { Log } from '../domain/log.ts';
import { type BoundedLog, boundedLog } from './bounded-log.ts';
import type { Guard, Session } from './session.ts';

/** What a room knows to answer. @throws Refusal with one of the question's codes: nothing was changed */
export type Handlers = {
  readonly [Name in QuestionName]?: (asked: Asked<Name>, session: Session) => Answered<Name> | Promise<Answered<Name>>;
};

/** Checks a question before anybody answers it, and its answer before it leaves. */
export class Router {
  readonly #answerers: Handlers;
  readonly #guard: Guard;
  readonly #log: BoundedLog;

  constructor({ answerers, guard, log }: { readonly answerers: Handlers; readonly guard: Guard; readonly log: Log }) {
    this.#answerers = answerers;
    this.#guard = guard;
    this.#log = boundedLog(log);
  }

  /** Never rejects. */
  async ask(session: Session, name: string, asked: unknown): Promise<Answer> {
    if (!isQuestion(name)) return refused('invalid', 'this is no question of the contract');
    const declaration: Procedure = questions[name];
    try {
      if (!this.#guard.mayAsk(declaration.who, session)) return refused('pinNeeded', 'a manager must sign in first');
      const parsed = declaration.asks.safeParse(asked);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return { ...refused('invalid', issue?.message ?? 'is not valid'), field: issue?.path.join('.') || null };
      }
      const answerer = this.#answerers[name] as ((asked: unknown, session: Session) => unknown) | undefined;
      if (answerer === undefined) return refused('notHere', 'this daemon does not answer it');
      this.#record(session, name, declaration, parsed.data);
      return { ok: true, value: declaration.answers.parse(await answerer(parsed.data, session)) };
    } catch (error) {
      return this.#failed(name, declaration, error);
    }
  }

  #record({ manager }: Session, name: string, { records, onlyLooks }: Procedure, asked: unknown): void {
    if (records === undefined) return;
    try {
      this.#guard.record(manager, name, records(asked));
    } catch (error) {
      if (onlyLooks !== true) throw error;
      this.#log.error(
        { question: name, managerId: manager?.managerId, detail: (error as Error).message },
        'what a manager asked could not be written to the journal',
      );
    }
  }

  #failed(name: string, { refuses }: Procedure, error: unknown): Answer {
    if (error instanceof Refusal) {
      if (refuses.includes(error.code) || CommonRefusal.safeParse(error.code).success) {
        const { code, field, message, facts } = error;
        return { ok: false, code, field, message, facts };
      }
    }
    this.#log.error({ question: name, error: error instanceof Error ? error.stack : String(error) }, 'a question of a screen could not be answered');
    return refused('failed', error instanceof Error ? error.message : String(error));
  }
}

function refused(code: CommonRefusal, message: string): Extract<Answer, { ok: false }> {
  return { ok: false, code, field: null, message, facts: {} };
}
