import Testing
import WinchCore

@testable import WinchScreen

/// Whole pictures as text. When one changes on purpose, look at the new one before it is put here.
@Suite struct `The dashboard as a picture` {
    private func picture(
        _ columns: Int, _ lines: Int, look: Look = Look(), keys: [Key] = ["j", "j"],
        change: (inout QueueTotals) -> Void = { _ in }
    ) -> String {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines, look: look, change: change)
        sitting.wait(0.6)
        sitting.handle(.tick)
        for key in keys { sitting.press(key) }
        return sitting.canvas.text
    }

    @Test func `at its usual size`() {
        #expect(
            picture(80, 24)
                == """
                 winch · urls.txt                                   18.4 MiB/s · about 7 m left
                 ███████████████████████████·············································░ ~37%
                 2 of 20 done · 9 active · 3 queued · 1 retrying · 2 failed            accurate
                 [1 all 20]  2 active 9   3 waiting 6   4 failed 2   5 done 2
                     Name           3/20  Progress                  Rate       Left  State
                   ✓ debian-12.5.0-….iso  █████████████ 100%                         done
                   ↓ linux-6.8.1.tar.xz   █████▌·······  42%  12.3 MiB/s        6 s  moving
                 ▸ ↓ a-very-long….tar.gz  ██████·······  46%   4.1 MiB/s   6 m 52 s  moving
                   ↓ 東京の地図デー….zip  ▊············   6%  88.0 KiB/s    2 m 5 s  moving
                   ↓ stream-without….bin  ···········░▒   --   1.8 MiB/s             moving
                   ○ résumé-été.pdf       ·············   --                         connecting
                   ○ noch-einer.deb       ·············   0%  asked, waiting for answer
                   ↓ 👩👩👧 family ….jpg  █████▏·······  40%  stalled 12 s
                   ✗ missing.tar.gz       ·············   --  404 not found
                   ✗ refused.bin          ██████▎······  48%  cannot connect
                   ↻ flaky-mirror.img     █████▌·······  42%  busy, retry in 3 s (2/5)
                   ‖ later.iso            ███▎·········  25%                         paused
                   ‖ unknown-and-pa….dat  ░░░░░░░░░░░░░   --                         paused
                   – given-up.zip         ████▎········  33%                         cancelled
                   ✓ there-already.txt    █████████████ 100%                         skipped
                   · מסמך חשוב.pdf        ·············   0%  waiting for the host's slots
                   · evil�[31m�gpj.exe�   ·············   --  waiting for a slot
                   ○ checksum.me          ████████████▉  99%                         checking
                 p pause  c cancel  a add  P pause all  R retry failed  ? help  q quit
                """)
    }

    @Test func `with room for sizes`() {
        #expect(
            picture(120, 30)
                == """
                 winch · urls.txt                                                                           18.4 MiB/s · about 7 m left
                 █████████████████████████████████████████▉······································································░ ~37%
                 2 of 20 done · 9 active · 3 queued · 1 retrying · 2 paused · 2 failed · 1 cancelled             4 at a time · accurate
                 [1 all 20]  2 active 9   3 waiting 6   4 failed 2   5 done 2


                 The total rate is drawn here once bytes come.

                     Name                    3/20  Progress                       Done/size        Rate       Left  State
                   ✓ debian-12.5.0-amd64-net….iso  ████████████████ 100%            629 MiB                         done
                   ↓ linux-6.8.1.tar.xz            ██████▊·········  42%       58.0/135 MiB  12.3 MiB/s        6 s  moving
                 ▸ ↓ a-very-long-name-of-….tar.gz  ███████▍········  46%        1.3/3.0 GiB   4.1 MiB/s   6 m 52 s  moving
                   ↓ 東京の地図データ.zip          ▉···············   6%   700 KiB/11.0 MiB  88.0 KiB/s    2 m 5 s  moving
                   ↓ stream-without-length.bin     ·············░▒▓   --         31.0 MiB/?   1.8 MiB/s             moving
                   ○ résumé-été.pdf                ················   --                                            connecting
                   ○ noch-einer.deb                ················   0%          0/8.0 MiB  asked, waiting for answer
                   ↓ 👩👩👧 family DE holida….jpg  ██████▍·········  40%        2.0/5.0 MiB  stalled 12 s
                   ✗ missing.tar.gz                ················   --                     404 not found
                   ✗ refused.bin                   ███████▊········  48%    500 KiB/1.0 MiB  cannot connect
                   ↻ flaky-mirror.img              ██████▊·········  42%        300/700 MiB  server busy (503), retry in 3 s (2/5)
                   ‖ later.iso                     ████············  25%        1.0/4.0 GiB                         paused
                   ‖ unknown-and-paused.dat        ░░░░░░░░░░░░░░░░   --         39.0 KiB/?                         paused
                   – given-up.zip                  █████▎··········  33%        3.0/9.0 MiB                         cancelled
                   ✓ there-already.txt             ████████████████ 100%            1.1 KiB                         skipped
                   · מסמך חשוב.pdf                 ················   0%          0/120 KiB  waiting for the host's slots
                   · evil�[31m�gpj.exe�            ················   --                     waiting for a slot
                   ○ checksum.me                   ███████████████▉  99%        5.0/5.0 MiB                         checking
                   ○ backup.tar.zst                ███████████████▉  99%        292/292 KiB  sent, waiting for answer

                 p pause  c cancel  a add  P pause all  R retry failed  m count files  Enter details  l log  / filter  ? help  q quit
                """)
    }

    @Test func `with room for hosts`() {
        #expect(
            picture(200, 26)
                == """
                 winch · urls.txt                                                                                                                                                           18.4 MiB/s · about 7 m left
                 ███████████████████████████████████████████████████████████████████████▋························································································································░ ~37%
                 2 of 20 done · 9 active · 3 queued · 1 retrying · 2 paused · 2 failed · 1 cancelled                                                                                             4 at a time · accurate
                 [1 all 20]  2 active 9   3 waiting 6   4 failed 2   5 done 2
                     Name                                              Progress                                            Done/size        Rate       Left  State                         Host
                   ✓ debian-12.5.0-amd64-netinst.iso                   █████████████████████████████████████ 100%            629 MiB                         done                          cdimage.debian.org
                   ↓ linux-6.8.1.tar.xz                                ███████████████▉·····················  42%       58.0/135 MiB  12.3 MiB/s        6 s  moving                        cdn.kernel.org
                 ▸ ↓ a-very-long-name-of-a-nightly-build-2024….tar.gz  █████████████████▎···················  46%        1.3/3.0 GiB   4.1 MiB/s   6 m 52 s  moving                        mirror.example.org
                   ↓ 東京の地図データ.zip                              ██▎··································   6%   700 KiB/11.0 MiB  88.0 KiB/s    2 m 5 s  moving                        地図.example.jp
                   ↓ stream-without-length.bin                         ·······························░▒▓█··   --         31.0 MiB/?   1.8 MiB/s             moving                        127.0.0.1:8080
                   ○ résumé-été.pdf                                    ·····································   --                                            connecting                    mirror.example.org
                   ○ noch-einer.deb                                    ·····································   0%          0/8.0 MiB                         asked, waiting for answer     mirror.example.org
                   ↓ 👩👩👧 family DE holiday 👍.jpg                   ██████████████▊······················  40%        2.0/5.0 MiB  stalled 12 s                                         mirror.example.org
                   ✗ missing.tar.gz                                    ·····································   --                     404 not found                                        mirror.example.org
                   ✗ refused.bin                                       ██████████████████···················  48%    500 KiB/1.0 MiB  cannot connect to 127.0.0.1: Connection refused      127.0.0.1:1
                   ↻ flaky-mirror.img                                  ███████████████▊·····················  42%        300/700 MiB  server busy (503), retry in 3 s (2/5)                mirror.example.org
                   ‖ later.iso                                         █████████▎···························  25%        1.0/4.0 GiB                         paused                        mirror.example.org
                   ‖ unknown-and-paused.dat                            ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   --         39.0 KiB/?                         paused                        mirror.example.org
                   – given-up.zip                                      ████████████▎························  33%        3.0/9.0 MiB                         cancelled                     mirror.example.org
                   ✓ there-already.txt                                 █████████████████████████████████████ 100%            1.1 KiB                         skipped: there already        mirror.example.org
                   · מסמך חשוב.pdf                                     ·····································   0%          0/120 KiB                         waiting for the host's slots  mirror.example.org
                   · evil�[31m�gpj.exe�                                ·····································   --                                            waiting for a slot            mirror.example.org
                   ○ checksum.me                                       ████████████████████████████████████▉  99%        5.0/5.0 MiB                         checking                      mirror.example.org
                   ○ backup.tar.zst                                    ████████████████████████████████████▉  99%        292/292 KiB                         sent, waiting for answer      mirror.example.org
                   · next-in-line.mkv                                  ·····································   0%          0/700 MiB                         waiting for a slot            mirror.example.org
                 p pause  c cancel  a add  P pause all  R retry failed  m count files  Enter details  l log  / filter  ? help  q quit  + more slots  - fewer slots  z slower  Z faster
                """)
    }

    @Test func `as small as it may be`() {
        #expect(
            picture(40, 10)
                == """
                2 of 20 done · 2 failed       18.4 MiB/s
                ████████▉··············░ ~37% · accurate
                    Name         3/20  Progress
                  ✓ debian-12.5.….iso  ████████████ 100%
                  ↓ linux-6.8….tar.xz  █████▏······  42%
                ▸ ↓ a-very-lo….tar.gz  █████▌······  46%
                  ↓ 東京の地図デ….zip  ▋···········   6%
                  ↓ stream-witho….bin  ··········░▒   --
                  ○ résumé-été.pdf     ············   --
                ↓ 4.1 MiB/s, 6 m 52 s  ? help  q quit
                """)
    }

    @Test func `too small for a table`() {
        #expect(picture(30, 2) == "winch 2/20 ~37% 2 failed 18.4…\n")
        #expect(picture(60, 7).hasPrefix("winch 2/20 ~37% 2 failed 18.4 MiB/s\n"))
    }

    @Test func `in ASCII`() {
        #expect(
            picture(80, 28, look: Look(isASCII: true))
                == """
                 winch | urls.txt                                   18.4 MiB/s | about 7 m left
                 ###########################---------------------------------------------: ~37%
                 2 of 20 done | 9 active | 3 queued | 1 retrying | 2 failed            accurate
                 [1 all 20]  2 active 9   3 waiting 6   4 failed 2   5 done 2
                     Name                 Progress                  Rate       Left  State
                   + debian-12.5.0-~.iso  ############# 100%                         done
                   v linux-6.8.1.tar.xz   #####>-------  42%  12.3 MiB/s        6 s  moving
                 > v a-very-long~.tar.gz  ######-------  46%   4.1 MiB/s   6 m 52 s  moving
                   v ????????.zip         >------------   6%  88.0 KiB/s    2 m 5 s  moving
                   v stream-without~.bin  ------------#   --   1.8 MiB/s             moving
                   o resume-ete.pdf       -------------   --                         connecting
                   o noch-einer.deb       -------------   0%  asked, waiting for answer
                   v ??? family DE ~.jpg  #####>-------  40%  stalled 12 s
                   x missing.tar.gz       -------------   --  404 not found
                   x refused.bin          ######>------  48%  cannot connect
                   @ flaky-mirror.img     #####>-------  42%  busy, retry in 3 s (2/5)
                   = later.iso            ###>---------  25%                         paused
                   = unknown-and-pa~.dat  :::::::::::::   --                         paused
                   - given-up.zip         ####>--------  33%                         cancelled
                   + there-already.txt    ############# 100%                         skipped
                   . ???? ????.pdf        -------------   0%  waiting for the host's slots
                   . evil?[31m?gpj.exe?   -------------   --  waiting for a slot
                   o checksum.me          ############>  99%                         checking
                   o backup.tar.zst       ############>  99%  sent, waiting for answer
                   . next-in-line.mkv     -------------   0%  waiting for a slot


                 p pause  c cancel  a add  P pause all  R retry failed  ? help  q quit
                """)
    }

    @Test func `counting files`() {
        #expect(
            picture(80, 12) { totals in
                totals.mode = .simple
                (totals.completed, totals.total) = (Int64(totals.settled), Int64(totals.count))
                totals.fraction = Double(totals.settled) / Double(totals.count)
                totals.isEstimated = false
                totals.sizing = .init(answered: 3, asked: 40)
            }
                == """
                 winch · 2 of 20 done · 9 active · 2 failed         18.4 MiB/s · about 7 m left
                 ██████████······························  25%    2/5/20 · sizing 3/40 · simple
                     Name           3/20  Progress                  Rate       Left  State
                   ✓ debian-12.5.0-….iso  █████████████ 100%                         done
                   ↓ linux-6.8.1.tar.xz   █████▌·······  42%  12.3 MiB/s        6 s  moving
                 ▸ ↓ a-very-long….tar.gz  ██████·······  46%   4.1 MiB/s   6 m 52 s  moving
                   ↓ 東京の地図デー….zip  ▊············   6%  88.0 KiB/s    2 m 5 s  moving
                   ↓ stream-without….bin  ···········░▒   --   1.8 MiB/s             moving
                   ○ résumé-été.pdf       ·············   --                         connecting
                   ○ noch-einer.deb       ·············   0%  asked, waiting for answer
                   ↓ 👩👩👧 family ….jpg  █████▏·······  40%  stalled 12 s
                 p pause  c cancel  a add  P pause all  R retry failed  ? help  q quit
                """)
    }

    @Test func `with its help open`() {
        #expect(
            picture(80, 24, keys: ["j", "j", "?"])
                == """
                 winch · urls.txt                                   18.4 MiB/s · about 7 m left
                 ███████████████████████████·············································░ ~37%
                 2 of 20 done · 9 active · 3 queued · 1 retrying · 2 failed            accurate
                 [1 all 20]  2 active 9   3 waiting 6   4 failed 2   5 done 2
                ╭─ Keys ─────────────────────────────────────────────────────────────── 1/24 ─╮
                │ Move                                  This one, or the tagged               │
                │ ↑ k     up                            p       pause or resume               │
                │ ↓ j     down                          r       try again, now                │
                │ PgUp    a page up                     c       cancel (asks), drop its part  │
                │ PgDn    a page down                   J       scroll the details down       │
                │ g Home  to the first                  K       scroll the details up         │
                │ G End   to the last                   o       open its folder               │
                │ Esc     clear filter; follow haul     y       copy its URL                  │
                │                                       e       change its URL                │
                │ The list                              d       off the list, once ended      │
                │ U       untag all                     x       its own rate limit            │
                │ /       filter by name, host, state   [       earlier in the queue          │
                │ Space   tag or untag; keys act on all ]       later in the queue            │
                │ *       tag all that are shown        {       to the queue's beginning      │
                │ u       untag this one                }       to the queue's end            │
                │ >       sort by the next column       Enter   details, open or closed       │
                │ <       sort by the one before                                              │
                ╰─────────────────────────────────────────────────────────────────────────────╯
                 ↑↓ scroll  Esc back
                """)
    }
}
