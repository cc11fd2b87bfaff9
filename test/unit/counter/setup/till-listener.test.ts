import { describe, expect, test } from 'vitest';
import { openSerialWire } from '../../../../main/counter/devices/serial-port.ts';
import type { OpenSerialWire } from '../../../../main/core/domain/wire.ts';
import { Register } from '../../../../main/sandbox/till/register.ts';
import { TillListener } from '../../../../main/counter/setup/till-listener.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { SerialCable, until } from '../../../support/processes.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import {
  registration,
  enquiry,
  blockOfConcert,
  withParity,
  garbage,
  listening,
} from './till-support.ts';

describe('listening', () => {
  const { cables, quick, listen, serial, hears } = listening();

  test('on a real line: nothing yet, then the till’s first packet, and the port is free afterwards', async () => {
    const cable = await new SerialCable().plugIn();
    cables.push(cable);
    const listener = listen(serial(cable.terminalPath));
    await hears(listener, 'nothing');
    const till = await openSerialWire(
      { path: cable.tillPath, baudRate: 9600, stopBits: 2 },
      { data() {}, lost() {} },
    );
    await till.write(encodeBlock(registration));
    await hears(listener, 'zvt');
    expect(listener.heard()).toMatchObject({
      packets: 1,
      firstBytes: expect.stringMatching(/^10 02 06 00 /),
      meaning: expect.stringContaining('Registration'),
    });
    await till.close();
    await listener.stop();
    const again = listen(serial(cable.terminalPath));
    await hears(again, 'nothing');
  });

  test('on a real line: the first block of a till of Concert tells its data bits and parity', async () => {
    const cable = await new SerialCable().plugIn();
    cables.push(cable);
    const listener = listen({ ...serial(cable.terminalPath), protocol: 'concert', stopBits: 1 });
    await hears(listener, 'nothing');
    const answered: number[] = [];
    const data = (bytes: Uint8Array) => void answered.push(...bytes);
    const till = await openSerialWire(
      { path: cable.tillPath, baudRate: 9600, stopBits: 1 },
      { data, lost() {} },
    );
    await till.write(enquiry);
    await until(() => answered.length > 0, 'the answer to the enquiry');
    await till.write(withParity(blockOfConcert, 'even'));
    await hears(listener, 'concert');
    expect(listener.heard().till).toMatchObject({ baudRate: 9600, dataBits: 7, parity: 'even' });
    await until(() => answered.length === 2, 'the acknowledgement of the block');
    // The till ends its session, and the payment is refused in one of setup's own.
    await till.write(withParity(Uint8Array.of(4), 'even'));
    await until(() => answered.length === 3, 'the enquiry of the terminal');
    expect(answered).toEqual([6, 6, 5]);
    await till.write(withParity(Uint8Array.of(6), 'even'));
    await until(() => answered.length > 20, 'the answer');
    const text = String.fromCharCode(...answered.slice(4).map((byte) => byte & 0x7f));
    // The till's number, and 7: not done.
    expect(text).toMatch(/^017/);
    expect(answered.slice(3)).toEqual([
      ...withParity(
        Uint8Array.from(answered.slice(3), (byte) => byte & 0x7f),
        'even',
      ),
    ]);
    await until(() => listener.heard().answered === 'refused', 'the refusal to be told');
    await till.close();
  });

  test('on a real line: a till of ZVT registers, and its payment is refused', async () => {
    const cable = await new SerialCable().plugIn();
    cables.push(cable);
    const listener = listen(serial(cable.terminalPath), { laneCurrency: 'DKK' });
    await hears(listener, 'nothing');
    const register = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: quick,
    });
    expect(await register.register({ currency: 'DKK' })).toMatchObject({
      refused: null,
      ended: { by: 'completion' },
    });
    await hears(listener, 'zvt');
    expect(listener.heard().answered).toBe('registered');
    expect(await register.pay(1_234, 'DKK')).toMatchObject({ ended: { by: 'abort' } });
    expect(listener.heard().answered).toBe('refused');
    await register.close();
  });

  test('waits for a port that is not there yet, and says why', async () => {
    const cable = new SerialCable();
    cables.push(cable);
    const listener = listen(serial(cable.terminalPath));
    await until(() => listener.heard().detail !== null, 'a reason');
    expect(listener.heard()).toMatchObject({
      what: 'opening',
      detail: expect.stringContaining('is the cable plugged in?'),
      problem: 'absent',
    });
    await cable.plugIn();
    await hears(listener, 'nothing');
  });

  /** A till that sends at one baud rate. At any other, garbage is received. */
  const tillAt = (rate: number, message: Uint8Array) => {
    const opened: number[] = [];
    const open: OpenSerialWire = async ({ baudRate }, listener) => {
      opened.push(baudRate);
      const timer = clock.after(500, () => listener.data(baudRate === rate ? message : garbage));
      return { write: async () => {}, close: async () => timer() };
    };
    return { opened, open };
  };
  let clock: ManualClock;

  test('tries the other rates by itself when it hears noise, and names the right one', async () => {
    clock = new ManualClock();
    const { open, opened } = tillAt(57_600, encodeBlock(registration));
    const listener = listen(serial('COM3'), { clock, openSerialWire: open });
    await clock.pass(900);
    expect(listener.heard()).toMatchObject({
      what: 'wrongBaudRate',
      firstBytes: expect.stringMatching(/^FE 80/),
    });
    await clock.pass(5_000);
    expect(listener.heard()).toMatchObject({ what: 'zvt', till: { baudRate: 57_600 } });
    expect(opened).toEqual([9600, 19_200, 38_400, 57_600]);
  });

  describe('a till of Concert on a cable', () => {
    /** A till that sends its block when its enquiry is answered. */
    const tillOfConcert = (message: Uint8Array) => {
      const line = { opened: [] as object[], written: [] as number[], enquires: () => {} };
      const open: OpenSerialWire = async (port, listener) => {
        line.opened.push(port);
        line.enquires = () => listener.data(enquiry);
        const write = async (bytes: Uint8Array): Promise<void> => {
          line.written.push(...bytes);
          if (line.written.length === 1 && bytes[0] === 6) listener.data(message);
        };
        return { write, close: async () => {} };
      };
      return { line, open };
    };
    const cable = { ...serial('COM3'), protocol: 'concert', stopBits: 1 } as const;
    const heardFrom = async (
      message: Uint8Array,
      till: ConstructorParameters<typeof TillListener>[0] = cable,
    ) => {
      clock = new ManualClock();
      const { line, open } = tillOfConcert(message);
      const listener = listen(till, { clock, openSerialWire: open });
      await clock.pass(10);
      line.enquires();
      await clock.pass(1_000);
      return { ...line, heard: listener.heard(), found: listener.foundAt };
    };
    const evenParity = { dataBits: 7, parity: 'even' } as const;

    test('is answered, so that its first block comes, and the block is acknowledged', async () => {
      const { written, heard } = await heardFrom(blockOfConcert);
      expect(written).toEqual([6, 6]);
      expect(heard).toMatchObject({ what: 'concert', till: cable });
    });

    test('with seven data bits and even parity is recognised, on a line that hears all eight', async () => {
      const { opened, heard, found } = await heardFrom(withParity(blockOfConcert, 'even'));
      expect(opened).toEqual([
        { path: 'COM3', baudRate: 9600, stopBits: 1, dataBits: 8, parity: 'none' },
      ]);
      expect(heard).toMatchObject({ what: 'concert', till: { ...cable, ...evenParity } });
      expect(found).not.toBeNull();
    });

    test('and without parity too, where the other was set', async () => {
      const { opened, heard } = await heardFrom(blockOfConcert, { ...cable, ...evenParity });
      expect(opened).toMatchObject([{ dataBits: 8, parity: 'none' }]);
      expect(heard).toMatchObject({
        what: 'concert',
        till: { ...cable, dataBits: 8, parity: 'none' },
      });
    });

    test('where ZVT is waited for, is named with its data bits', async () => {
      const { heard } = await heardFrom(withParity(blockOfConcert, 'even'), serial('COM3'));
      expect(heard).toMatchObject({ what: 'otherProtocol', protocol: 'concert', till: evenParity });
    });

    test('shows none of its private data', async () => {
      const { heard } = await heardFrom(blockOfConcert);
      expect(heard.firstBytes.split(' ')).toHaveLength(9);
    });
  });

  test('takes what is noise at every rate for another protocol', async () => {
    clock = new ManualClock();
    const { open } = tillAt(1200, encodeBlock(registration));
    const listener = listen(serial('COM3'), { clock, openSerialWire: open });
    await clock.pass(10_000);
    expect(listener.heard()).toMatchObject({ what: 'otherProtocol', protocol: 'unknown' });
  });

  test('stops by itself when nobody asks any more', async () => {
    clock = new ManualClock();
    let open = 0;
    const listener = listen(serial('COM3'), {
      clock,
      openSerialWire: async () => {
        open += 1;
        return { write: async () => {}, close: async () => void (open -= 1) };
      },
    });
    await clock.pass(20_000);
    expect(open).toBe(1);
    listener.heard();
    await clock.pass(31_000);
    await settled();
    expect(open).toBe(0);
    expect(listener.heard().what).toBe('stopped');
  });
});
