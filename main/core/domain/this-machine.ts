/** Whether an address is of this machine alone: no other machine reaches what listens there. */
export const isOfThisMachineAlone = (host: string): boolean =>
  /^(localhost|::1|127(\.\d{1,3}){3})$/.test(host);
