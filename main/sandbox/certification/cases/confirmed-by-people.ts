/** G. What no program can check (24, 25 and 27). */
import type { CaseDefinition } from '../case.ts';

export const secretsStayInside: CaseDefinition = {
  id: '24',
  title: 'Secrets stay inside the integrator’s organisation',
  rules: [],
  people: [
    'The client secret is on no till that somebody outside the integrator’s organisation can read, and in no public code (document 4, section 2).',
  ],
};

export const whatCustomersSee: CaseDefinition = {
  id: '25',
  title: 'What the customer sees',
  rules: [],
  people: [
    'A customer recognises the point of sale by its name (e.g. "Check-out 1"); logo and buttons are the provider’s present ones (document 4, section 1.5).',
  ],
};

export const rollOut: CaseDefinition = {
  id: '27',
  title: 'Roll-out',
  rules: [],
  people: ['There is a merchant for a pilot, a plan for a gradual roll-out, and a way back.'],
};
