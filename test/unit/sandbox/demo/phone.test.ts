import { afterEach, beforeEach, expect, test } from 'vitest';
import { beaconPhone, type DemoPhone } from '../../../../main/sandbox/demo/phone.ts';
import { Service } from '../simulator/support.ts';

let service: Service;
let phone: DemoPhone;

beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
  phone = beaconPhone('lane-1', service.simulator);
});
afterEach(() => service.simulator.stop());

test('a customer who walks away puts the phone away, and finds the request on it again', async () => {
  phone.use('scan');
  expect(phone.display().state).toBe('checkedIn');
  await service.initiate();
  expect(phone.display().state).toBe('asked');
  phone.use('walkAway');
  expect(phone.display()).toEqual({ state: 'away', amount: null });
  phone.use('scan');
  expect(phone.display().state).toBe('asked');
  phone.use('approve');
  expect(phone.display().state).toBe('approved');
});

test('a customer who walks away before there is a payment is away', () => {
  phone.use('scan');
  phone.use('walkAway');
  expect(phone.display().state).toBe('away');
});
