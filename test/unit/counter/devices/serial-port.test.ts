import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { PortlessAdapter } from '../../../../main/counter/devices/linux-ports.ts';
import { type RunningClaimer } from '../../../../main/counter/devices/port-holder.ts';
import { type PortDriver, serialWires } from '../../../../main/counter/devices/serial-port.ts';
import type { SerialFormat } from '../../../../main/core/domain/serial-format.ts';
import { PortError, type Wire } from '../../../../main/core/domain/wire.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

type Done = (error: Error | null) => void;

/**
 * A driver as strict as the real one: no call works before it is open or after it is closed, and
 * each call can hang or fail.
 */
class Driver extends EventEmitter implements PortDriver {
  isOpen = false;
  /** The answer to each call; `never` leaves it unanswered. */
  readonly answers: Record<'open' | 'write' | 'get' | 'close', Error | 'well' | 'never'> = {
    open: 'well',
    write: 'well',
    get: 'well',
    close: 'well',
  };
  readonly written: Buffer[] = [];
  waiting: Done[] = [];

  open(done: Done): void {
    if (this.isOpen) throw new Error('Port is already open');
    this.#answer('open', done, () => {
      this.isOpen = true;
    });
  }
  write(bytes: Buffer, done: Done): void {
    this.#answer('write', done, () => this.written.push(bytes));
  }
  get(done: Done): void {
    this.#answer('get', done);
  }
  close(done: Done): void {
    this.#answer('close', done, () => {
      this.isOpen = false;
      this.emit('close', null);
    });
  }
  /** Ends the calls that hang. */
  wake(): void {
    for (const done of this.waiting.splice(0)) done(null);
  }
  #answer(what: keyof Driver['answers'], done: Done, well: () => unknown = () => {}): void {
    const how = this.answers[what];
    if (how === 'never') this.waiting.push((error) => (well(), done(error)));
    else if (what !== 'open' && !this.isOpen) process.nextTick(done, new Error('Port is not open'));
    else if (how === 'well') process.nextTick(() => (well(), done(null)));
    else process.nextTick(done, how);
  }
}

class Machine {
  readonly clock = new ManualClock();
  readonly drivers: Driver[] = [];
  readonly lost: string[] = [];
  readonly heard: string[] = [];
  device: string | null = '5 1042 188:0';
  cannotLook = false;
  now = '/dev/ttyUSB0';
  holder: string | null = null;
  running: RunningClaimer[] = [];
  adapter: PortlessAdapter | null = null;
  resolveFails: Error | null = null;
  /** What the ports were opened with. */
  readonly ports: object[] = [];
  prepare = (_driver: Driver): void => {};
  readonly #open = serialWires({
    clock: this.clock,
    create: async (port) => {
      this.ports.push(port);
      const driver = new Driver();
      this.prepare(driver);
      this.drivers.push(driver);
      return driver;
    },
    resolve: async () => {
      if (this.resolveFails !== null) throw this.resolveFails;
      return this.now;
    },
    deviceAt: async () => {
      if (this.cannotLook) throw new Error('cannot list');
      return this.device;
    },
    holderOf: async () => this.holder,
    runningClaimers: async () => this.running,
    takenAdapter: () => this.adapter,
  });
  open(format: SerialFormat = {}): Promise<Wire> {
    return this.#open(
      { path: 'usb:0403:6001:A50285BI', baudRate: 9600, stopBits: 2, ...format },
      {
        data: (bytes) => void this.heard.push(Buffer.from(bytes).toString('hex')),
        lost: (why) => void this.lost.push(why),
      },
    );
  }
  get driver(): Driver {
    const driver = this.drivers.at(-1);
    if (driver === undefined) throw new Error('nothing was opened');
    return driver;
  }
}

describe('data bits and parity', () => {
  test('are eight and none, or as the settings have them', async () => {
    const machine = new Machine();
    await machine.open();
    await machine.open({ dataBits: undefined, parity: undefined });
    await machine.open({ dataBits: 7, parity: 'even' });
    const port = { path: '/dev/ttyUSB0', baudRate: 9600, stopBits: 2 };
    const usual = { ...port, dataBits: 8, parity: 'none' };
    expect(machine.ports).toEqual([usual, usual, { ...port, dataBits: 7, parity: 'even' }]);
  });

  test('of seven bits the parity is taken off, which a virtual port leaves in the byte', async () => {
    const machine = new Machine();
    await machine.open({ dataBits: 7, parity: 'even' });
    machine.driver.emit('data', Buffer.from('8230b1', 'hex'));
    await machine.open();
    machine.driver.emit('data', Buffer.from('8230b1', 'hex'));
    expect(machine.heard).toEqual(['023031', '8230b1']);
  });

  test('a parity bit takes its time', async () => {
    const machine = new Machine();
    const leaves = async (format: SerialFormat): Promise<number | undefined> => {
      const wire = await machine.open(format);
      await wire.write(new Uint8Array(96));
      return wire.leavesInMs?.();
    };
    expect([await leaves({}), await leaves({ parity: 'even' })]).toEqual([110, 120]);
  });
});

describe('opening', () => {
  test('says what the system calls the adapter’s port now', async () =>
    expect((await new Machine().open()).at).toBe('/dev/ttyUSB0'));

  test('goes on where the system cannot look, and so does an open port', async () => {
    const machine = new Machine();
    machine.cannotLook = true;
    expect((await machine.open()).at).toBe('/dev/ttyUSB0');
    await machine.clock.pass(60_000);
    expect(machine.lost).toEqual([]);
  });

  test('a port that is not there is absent, before a driver is asked', async () => {
    const machine = new Machine();
    machine.device = null;
    await expect(machine.open()).rejects.toEqual(
      new PortError('absent', '/dev/ttyUSB0 is not there: is the cable plugged in?'),
    );
    expect(machine.drivers).toEqual([]);
  });

  test.each([
    [
      'Error: No such file or directory, cannot open /dev/ttyUSB0',
      'absent',
      /is the cable plugged in/,
    ],
    [
      'Error: No such device or address, cannot open /dev/ttyUSB0',
      'absent',
      /is the cable plugged in/,
    ],
    ['Opening COM3: File not found', 'absent', /is the cable plugged in/],
    [
      'Error Resource temporarily unavailable Cannot lock port',
      'busy',
      /^\/dev\/ttyUSB0 is used by minicom \(process 4711\)$/,
    ],
    ['Error: Device or resource busy, cannot open /dev/ttyUSB0', 'busy', /minicom/],
    ['Opening COM3: Access denied', 'busy', /minicom/],
    ['Error: Permission denied, cannot open /dev/ttyUSB0', 'failed', /group "dialout"/],
    ['Error: Input/output error setting custom baud rate of 9600', 'failed', /Input\/output error/],
  ] as const)('%s: %s', async (message, problem, expectedMessage) => {
    const machine = new Machine();
    machine.holder = 'minicom (process 4711)';
    machine.prepare = ({ answers }) => {
      answers.open = new Error(message);
    };
    await expect(machine.open()).rejects.toMatchObject({
      problem,
      message: expect.stringMatching(expectedMessage),
    });
  });

  test('a port whose holder the system does not name is used by another program', async () => {
    const machine = new Machine();
    machine.prepare = ({ answers }) => {
      answers.open = new Error('Error Resource temporarily unavailable Cannot lock port');
    };
    await expect(machine.open()).rejects.toMatchObject({
      message: '/dev/ttyUSB0 is used by another program',
    });
  });

  const modemManager = { claimer: 'modemManager', name: 'ModemManager' } as const;
  const brltty = { claimer: 'brltty', name: 'brltty' } as const;
  const refused = (message: string) => (machine: Machine) => {
    machine.prepare = ({ answers }) => {
      answers.open = new Error(message);
    };
  };

  test('ModemManager is named where it holds the port, and as probable where the system tells no more than that it runs', async () => {
    const machine = new Machine();
    refused('Error: Device or resource busy, cannot open /dev/ttyUSB0')(machine);
    machine.running = [modemManager];
    const probably =
      '/dev/ttyUSB0 is used by another program, probably ModemManager, which runs here';
    await expect(machine.open()).rejects.toMatchObject({
      problem: 'busy',
      claimer: 'modemManager',
      message: probably,
    });
    machine.holder = 'ModemManager (process 612)';
    const surely = '/dev/ttyUSB0 is used by ModemManager (process 612)';
    await expect(machine.open()).rejects.toMatchObject({
      claimer: 'modemManager',
      message: surely,
    });
    machine.holder = 'minicom (process 4711)';
    await expect(machine.open()).rejects.toMatchObject({
      claimer: null,
      message: '/dev/ttyUSB0 is used by minicom (process 4711)',
    });
  });

  test('a port that is locked is not blamed on a program that locks none', async () => {
    const machine = new Machine();
    refused('Error Resource temporarily unavailable Cannot lock port')(machine);
    machine.running = [modemManager];
    await expect(machine.open()).rejects.toMatchObject({
      claimer: null,
      message: '/dev/ttyUSB0 is used by another program',
    });
  });

  test.each([
    ['its port is gone', (machine: Machine) => void (machine.device = null)],
    [
      'no port has its name',
      (machine: Machine) => void (machine.resolveFails = new PortError('absent', 'not there')),
    ],
  ])(
    'an adapter that brltty has taken from its driver is told as that, although %s',
    async (_, happens) => {
      const machine = new Machine();
      happens(machine);
      machine.running = [brltty, modemManager];
      machine.adapter = { node: '/dev/bus/usb/001/005', isClaimed: true };
      const said = 'usb:0403:6001:A50285BI is plugged in, but brltty has taken it from its driver';
      await expect(machine.open()).rejects.toMatchObject({
        problem: 'busy',
        claimer: 'brltty',
        message: said,
      });
      machine.holder = 'brltty (process 900)';
      await expect(machine.open()).rejects.toMatchObject({
        claimer: 'brltty',
        message: expect.stringContaining('brltty (process 900)'),
      });
    },
  );

  test('an adapter without a driver is absent where nothing could have taken it, and another program’s where one has', async () => {
    const machine = new Machine();
    machine.device = null;
    machine.running = [modemManager];
    machine.adapter = { node: '/dev/bus/usb/001/005', isClaimed: false };
    await expect(machine.open()).rejects.toMatchObject({ problem: 'absent', claimer: null });
    machine.adapter = { node: '/dev/bus/usb/001/005', isClaimed: true };
    await expect(machine.open()).rejects.toMatchObject({
      problem: 'busy',
      claimer: null,
      message: expect.stringContaining('but another program has'),
    });
  });

  test('two identical adapters are reported as such, also when ModemManager or brltty runs', async () => {
    const machine = new Machine();
    machine.resolveFails = new PortError('failed', 'could be any of two');
    machine.adapter = { node: '/dev/bus/usb/001/005', isClaimed: true };
    await expect(machine.open()).rejects.toBe(machine.resolveFails);
  });

  test.each([
    [
      '/dev/ttyXRUSB0',
      /allows “ttyXRUSB” only if it was loaded before the start \(sudo systemctl restart tillbeacon\)/,
    ],
    ['/dev/ttyXYZ0', /does not allow “ttyXYZ” \(.*DeviceAllow=char-ttyXYZ rw/],
  ])('a port that the service denies is told with what to do: %s', async (path, said) => {
    const machine = new Machine();
    machine.now = path;
    refused(`Error: Operation not permitted, cannot open ${path}`)(machine);
    await expect(machine.open()).rejects.toMatchObject({
      problem: 'failed',
      message: expect.stringMatching(said),
    });
  });

  test('a driver that hangs is given up, and closed when it opens after all', async () => {
    const machine = new Machine();
    machine.prepare = ({ answers }) => {
      answers.open = 'never';
    };
    const failed = expect(machine.open()).rejects.toMatchObject({
      problem: 'failed',
      message: expect.stringContaining('the driver does not open it'),
    });
    await machine.clock.pass(5_000);
    await failed;
    machine.driver.wake();
    await settled();
    expect(machine.driver.isOpen).toBe(false);
  });
});

describe('a port that is lost without a word', () => {
  test.each<[string, (machine: Machine) => void, string]>([
    ['its path is gone', (machine) => (machine.device = null), 'the port is no longer there'],
    [
      'another device has its path',
      (machine) => (machine.device = '5 1077 188:0'),
      'the port was unplugged, or plugged in again',
    ],
    [
      'the driver says that it is closed',
      ({ driver }) => (driver.isOpen = false),
      'the port was closed',
    ],
    [
      'its modem lines fail, as after a night',
      ({ driver }) => (driver.answers.get = new Error('Error: Input/output error, cannot get')),
      'the port is dead: Error: Input/output error, cannot get',
    ],
    [
      'its driver hangs',
      ({ driver }) => (driver.answers.get = 'never'),
      'the port is dead: it does not answer',
    ],
  ])('%s: told once, within four seconds', async (_what, happens, why) => {
    const machine = new Machine();
    await machine.open();
    await machine.clock.pass(60_000);
    expect(machine.lost).toEqual([]);
    happens(machine);
    await machine.clock.pass(4_000);
    expect(machine.lost).toEqual([why]);
    machine.driver.emit('close', null);
    machine.driver.emit('data', Buffer.from([6]));
    await machine.clock.pass(60_000);
    expect([machine.lost, machine.heard]).toEqual([[why], []]);
  });

  test('a port without modem lines does not count as dead', async () => {
    const machine = new Machine();
    machine.prepare = ({ answers }) => {
      answers.get = new Error('Error: Inappropriate ioctl for device, cannot get');
    };
    await machine.open();
    await machine.clock.pass(60_000);
    machine.driver.emit('data', Buffer.from([6]));
    expect([machine.lost, machine.heard]).toEqual([[], ['06']]);
  });

  test('tells how long a block still takes to leave, although the driver has taken it', async () => {
    const machine = new Machine();
    const wire = await machine.open();
    await wire.write(new Uint8Array(96));
    expect(wire.leavesInMs?.()).toBeCloseTo(110, 0);
    await machine.clock.pass(60);
    await wire.write(new Uint8Array(96));
    expect(wire.leavesInMs?.()).toBeCloseTo(160, 0);
    await machine.clock.pass(1_000);
    expect(wire.leavesInMs?.()).toBe(0);
  });

  test.each<[string, Error | 'never', RegExp]>([
    ['fails', new Error('Error: Input/output error, calling write'), /Input\/output error/],
    ['hangs', 'never', /does not take any bytes/],
  ])('a write that %s', async (_what, how, why) => {
    const machine = new Machine();
    const wire = await machine.open();
    machine.driver.answers.write = how;
    const failed = expect(wire.write(Uint8Array.of(6))).rejects.toThrow(why);
    await machine.clock.pass(2_000);
    await failed;
    expect(machine.lost).toEqual([expect.stringMatching(why)]);
    await expect(wire.write(Uint8Array.of(6))).rejects.toThrow('the port is closed');
  });
});

describe('closing', () => {
  test('ends within a second when the driver hangs, without a message', async () => {
    const machine = new Machine();
    const wire = await machine.open();
    machine.driver.answers.close = 'never';
    let isClosed = false;
    void wire.close().then(() => (isClosed = true));
    await machine.clock.pass(999);
    expect(isClosed).toBe(true);
    machine.driver.wake();
    await machine.clock.pass(60_000);
    expect(machine.lost).toEqual([]);
  });

  test('frees the port, and nothing is looked at any more', async () => {
    const machine = new Machine();
    const wire = await machine.open();
    await wire.close();
    machine.device = null;
    await machine.clock.pass(60_000);
    expect([machine.driver.isOpen, machine.lost]).toEqual([false, []]);
  });
});
