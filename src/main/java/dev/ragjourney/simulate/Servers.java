package dev.ragjourney.simulate;

/** Who does the work of calls. */
interface Servers {
  /** Servers enough for everybody. */
  Servers ENOUGH =
      new Servers() {
        @Override
        public void begin(Call call, long now) {
          call.servedFrom(now);
        }

        @Override
        public void over(Call call, long now) {}
      };

  /** Serves the call now or later. */
  void begin(Call call, long now);

  /** The call has ended, or nobody waits for it any more. */
  void over(Call call, long now);
}
