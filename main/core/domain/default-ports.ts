/** Default port of each server of a counter. */
export const defaultPorts = {
  screens: 4180,
  customerDisplays: 4181,
  /** For tills that are programs. */
  api: 4182,
  metrics: 4183,
  /** Where tills look for a terminal (PA00P016, section 2.2). */
  zvt: 20_007,
  concert: 8888,
} as const;
