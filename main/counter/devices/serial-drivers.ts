/**
 * Linux's drivers of serial ports: the one list behind setup's ports, the systemd unit
 * (`DeviceAllow`, and the modules that it loads first), the udev rules and the hint to a port that
 * the unit denies. `assets/service` is held against it by a test.
 */
export interface SerialDriver {
  /** Its ports are called so with a number behind; `/proc/devices` and `DeviceAllow=char-…` too. */
  readonly name: string;
  readonly ports: string;
  /** The unit loads it first, because `DeviceAllow` knows a driver only once it is loaded. */
  readonly module?: string;
  /** Its ports have no device in sysfs, so that nothing tells which of them are real. */
  readonly hasNoDevice?: true;
  /** udev gives its ports to no group, because their names begin in lower case. */
  readonly hasNoGroup?: true;
}

export const serialDrivers: readonly SerialDriver[] = [
  { name: 'ttyS', ports: 'mainboard, PCI cards' },
  { name: 'ttyUSB', ports: 'USB adapters', module: 'usbserial' },
  { name: 'ttyACM', ports: 'devices with USB of their own', module: 'cdc_acm' },
  { name: 'ttyAMA', ports: 'ARM boards (PL011), e.g. Raspberry Pi' },
  { name: 'ttymxc', ports: 'ARM boards (NXP i.MX)' },
  { name: 'ttyLP', ports: 'ARM boards (NXP i.MX 8)' },
  { name: 'ttySTM', ports: 'ARM boards (STM32)' },
  { name: 'ttyTHS', ports: 'ARM boards (Tegra)' },
  { name: 'ttyMSM', ports: 'ARM boards (Qualcomm)' },
  { name: 'ttyAML', ports: 'ARM boards (Amlogic)' },
  { name: 'ttyO', ports: 'ARM boards (TI OMAP)' },
  { name: 'ttyMFD', ports: 'Intel Medfield' },
  { name: 'ttySC', ports: 'SC16IS7xx behind I2C or SPI' },
  { name: 'ttyMAX', ports: 'MAX310x behind I2C or SPI' },
  { name: 'ttyAP', ports: 'Advantech’s cards' },
  { name: 'ttyMI', ports: 'Moxa’s cards' },
  { name: 'ttyMUE', ports: 'Moxa’s cards, its own driver' },
  { name: 'ttyr', ports: 'Moxa’s device servers in the network', hasNoGroup: true },
  { name: 'ttyWCH', ports: 'WCH’s cards, its own driver', hasNoDevice: true },
  { name: 'ttyCH341USB', ports: 'CH340 and CH341, WCH’s own driver', module: 'ch341' },
  { name: 'ttyCH343USB', ports: 'CH342 to CH9102, WCH’s own driver', module: 'ch343' },
  { name: 'ttyCH9344USB', ports: 'CH9344 and CH348, WCH’s own driver', module: 'ch9344' },
  { name: 'ttyXRUSB', ports: 'Exar’s adapters, its own driver', module: 'xr_usb_serial_common' },
  { name: 'rfcomm', ports: 'Bluetooth', hasNoDevice: true },
];

/** What the kernel calls the driver of a port: the port's name without its number. */
export function driverNameOf(port: string): string {
  // Moxa numbers in hex: ttyr0a.
  return /^ttyr[0-9a-f]+$/.test(port) ? 'ttyr' : port.replace(/\d+$/, '');
}

/** null for a driver that is not in the list. */
export const driverOf = (port: string): SerialDriver | null =>
  serialDrivers.find(({ name }) => name === driverNameOf(port)) ?? null;

/**
 * Makers of chips for USB adapters. Their devices are no modems and, at a counter, no braille
 * displays: the udev rules say so.
 */
export const adapterVendors = [
  { id: '0403', chips: 'FTDI' },
  { id: '04e2', chips: 'Exar' },
  { id: '067b', chips: 'Prolific PL2303' },
  { id: '10c4', chips: 'Silicon Labs CP210x' },
  { id: '110a', chips: 'Moxa UPort' },
  { id: '1a86', chips: 'WCH CH340 to CH9344' },
  { id: '9710', chips: 'MosChip, ASIX' },
] as const;
