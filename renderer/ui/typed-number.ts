/**
 * A telephone number that is typed and then sent to the daemon. @typeParam Problem why the number
 * was not accepted
 */
export abstract class TypedNumber<Host extends { requestUpdate(): void }, Problem> {
  protected readonly host: Host;
  problem: Problem | null = null;
  isSending = false;
  protected typed = '';
  /** Id of the payment whose customer has this number; null while there is no payment. */
  protected saleId: string | null = null;

  constructor(host: Host) {
    this.host = host;
  }

  get number(): string {
    return this.typed;
  }
  set number(number: string) {
    this.typed = number;
    this.problem = null;
    this.changed();
    this.host.requestUpdate();
  }

  /** Called after each change of the typed number. */
  protected changed(): void {}

  protected async sending<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    this.isSending = true;
    this.host.requestUpdate();
    const answer = await send();
    this.isSending = false;
    return answer;
  }
}
