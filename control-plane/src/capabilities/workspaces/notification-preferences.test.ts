import { expect } from 'chai';
import fc from 'fast-check';
import { Fault } from '@watchpost/shared/fault';
import {
  isByPhone,
  OWN_CHANNELS,
  notificationPreferencesPatch,
  notificationPreferencesSchema,
  patchNotificationPreferences,
  withDefaults,
} from './notification-preferences.js';

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const patches = fc.record(
  {
    email: fc.option(fc.boolean()),
    sms: fc.option(fc.boolean()),
    shiftReminders: fc.option(fc.boolean()),
    rules: fc.option(
      fc.uniqueArray(
        fc.record({ after: fc.constantFrom('PT0S', 'PT5M', 'P1D'), channel: fc.constantFrom(...OWN_CHANNELS) }),
        {
          maxLength: 10,
          selector: ({ after, channel }) => after + channel,
        },
      ),
    ),
    phoneNumber: fc.option(fc.constantFrom('+353871234567', '+12025550123')),
    quietHours: fc.option(
      fc.record(
        { start: time, end: time, timezone: fc.constantFrom('UTC', 'Europe/Dublin', 'Asia/Kolkata') },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

describe('Notification preferences', () => {
  it('always hold together, whatever patches were applied, or the patch is refused with the field', () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 6 }), (sequence) => {
        let stored = {};
        for (const patch of sequence) {
          expect(notificationPreferencesPatch.safeParse(patch).success).to.equal(true);
          try {
            stored = patchNotificationPreferences(stored, notificationPreferencesPatch.parse(patch));
          } catch (error) {
            expect((error as Fault).code).to.equal('validation_failed');
            for (const { path } of (error as Fault).details) expect(path).to.match(/^notificationPreferences\.\w/);
          }
          const whole = notificationPreferencesSchema.parse(withDefaults(stored));
          if (whole.sms) expect(whole.phoneNumber).not.to.equal(null);
          if (whole.rules?.some(({ channel }) => isByPhone(channel))) expect(whole.phoneNumber).not.to.equal(null);
          if (whole.quietHours) expect(whole.quietHours.start).not.to.equal(whole.quietHours.end);
        }
      }),
    );
  });

  it('are by email where nothing was ever set', () => {
    expect(withDefaults({})).to.deep.equal({
      email: true,
      sms: false,
      phoneNumber: null,
      quietHours: null,
      rules: null,
      shiftReminders: true,
    });
  });

  it('lose a number only together with the SMS that need it', () => {
    const stored = patchNotificationPreferences({}, { sms: true, phoneNumber: '+353871234567' });
    expect(() => patchNotificationPreferences(stored, { phoneNumber: null })).to.throw(Fault);
    expect(patchNotificationPreferences(stored, { phoneNumber: null, sms: null }).sms).to.equal(false);
  });
});
