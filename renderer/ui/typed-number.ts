/** A telephone number that is typed and sent. @typeParam Problem why it was not taken */
export abstract class TypedNumber<Host extends { requestUpdate(): void }, Problem> {
  protected readonly host: Host;
  problem: Problem | null = null;
  isSending = false;
  protected typed = '';
  /** The sale whose customer's number it is; null when nobody pays. */
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

  /** Something was typed. */
  protected changed(): void {}

  protected async sending<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    this.isSending = true;
    this.host.requestUpdate();
    const answer = await send();
    this.isSending = false;
    return answer;
  }
}
