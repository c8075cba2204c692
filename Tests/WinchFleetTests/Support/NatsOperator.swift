/// An operator of NATS with one account, whose users log in with a credentials file. Its keys are for these tests alone.
enum NatsOperator {
    /// Lines of a server's configuration.
    static let configuration = """
        operator: \(operatorToken)
        system_account: \(systemAccount)
        resolver: MEMORY
        resolver_preload: {
          \(account): \(accountToken)
          \(systemAccount): \(systemToken)
        }
        """

    /// The credentials file of a user who may do everything in the account.
    static let credentials = """
        -----BEGIN NATS USER JWT-----
        \(userToken)
        ------END NATS USER JWT------

        -----BEGIN USER NKEY SEED-----
        SUAMM6KOVLRAMEEP66GFCU2XWVEB6D2R2D2AZAGVROFUB4OQAAE4DFLKAY
        ------END USER NKEY SEED------

        """

    private static let account = "ACRB5UESU27GBRF3M5F2LXIGPTU4I3DD4MURSDSRYP7FYW3JEYVGFFJV"
    private static let systemAccount = "AA2BRCL2PHLI6KRYHNZGSQI2ASYIDOBBOR6N2UZEOUZLQMFMEQHZMDPI"
    private static let operatorToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiI3WkY1T0dSRDRHS0hRVFBGQVRHM1RIUTZGWVFaT\
        jMyVVg0WTVXM01IQlgzMk01Uk40U1VRIiwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJPQzRNVVcyVDRXNjJZQlRLUllMRlRSU\
        kpRNE9BSTZSNlNXNVdSRzdEVEVSQ0c1VERCTDM0SkJQSiIsIm5hbWUiOiJ3aW5jaC10ZXN0cyIsInN1YiI6Ik9DNE1VVzJUN\
        Fc2MllCVEtSWUxGVFJSSlE0T0FJNlI2U1c1V1JHN0RURVJDRzVUREJMMzRKQlBKIiwibmF0cyI6eyJ0eXBlIjoib3BlcmF0b\
        3IiLCJ2ZXJzaW9uIjoyLCJzeXN0ZW1fYWNjb3VudCI6IkFBMkJSQ0wyUEhMSTZLUllITlpHU1FJMkFTWUlET0JCT1I2TjJVW\
        kVPVVpMUU1GTUVRSFpNRFBJIn19.fIUFlcTX4VncEBR862Z4XcqzGy90Y1LWDPE2fzS1EN7J3AHul-HrrYUrm09YlDOCAVc9\
        1v84JErmIs5Ba3rhCA
        """
    private static let accountToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJJRTRST0FXWEc3TE9ZWVdIVkdIUkpXNkdaSFBMW\
        UtGSE9PM0tKRktSU0pCTzJKNjNPRzVRIiwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJPQzRNVVcyVDRXNjJZQlRLUllMRlRSU\
        kpRNE9BSTZSNlNXNVdSRzdEVEVSQ0c1VERCTDM0SkJQSiIsIm5hbWUiOiJmbGVldCIsInN1YiI6IkFDUkI1VUVTVTI3R0JSR\
        jNNNUYyTFhJR1BUVTRJM0RENE1VUlNEU1JZUDdGWVczSkVZVkdGRkpWIiwibmF0cyI6eyJsaW1pdHMiOnsic3VicyI6LTEsI\
        mRhdGEiOi0xLCJwYXlsb2FkIjotMSwiaW1wb3J0cyI6LTEsImV4cG9ydHMiOi0xLCJ3aWxkY2FyZHMiOnRydWUsImNvbm4iO\
        i0xLCJsZWFmIjotMSwibWVtX3N0b3JhZ2UiOi0xLCJkaXNrX3N0b3JhZ2UiOi0xLCJzdHJlYW1zIjotMSwiY29uc3VtZXIiO\
        i0xfSwiZGVmYXVsdF9wZXJtaXNzaW9ucyI6eyJwdWIiOnt9LCJzdWIiOnt9fSwidHlwZSI6ImFjY291bnQiLCJ2ZXJzaW9uI\
        joyfX0.qgU2zMDEfeFq852nE5-qhnBHQV4Uit4khE3Qr1lLhyX69_gSmxRk_GKIxy4lkjGVP6l6QevK3DAu2G2Yt8qGCw
        """
    private static let systemToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJNMkc1NklWN041SU5RSlRORTQ1M01MVFlUVFdON\
        jNDUjJZUkxZWEgyTVBIMldMQUc2RUxBIiwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJPQzRNVVcyVDRXNjJZQlRLUllMRlRSU\
        kpRNE9BSTZSNlNXNVdSRzdEVEVSQ0c1VERCTDM0SkJQSiIsIm5hbWUiOiJTWVMiLCJzdWIiOiJBQTJCUkNMMlBITEk2S1JZS\
        E5aR1NRSTJBU1lJRE9CQk9SNk4yVVpFT1VaTFFNRk1FUUhaTURQSSIsIm5hdHMiOnsibGltaXRzIjp7InN1YnMiOi0xLCJkY\
        XRhIjotMSwicGF5bG9hZCI6LTEsImltcG9ydHMiOi0xLCJleHBvcnRzIjotMSwid2lsZGNhcmRzIjp0cnVlLCJjb25uIjotM\
        SwibGVhZiI6LTEsIm1lbV9zdG9yYWdlIjowLCJkaXNrX3N0b3JhZ2UiOjAsInN0cmVhbXMiOjAsImNvbnN1bWVyIjowfSwiZ\
        GVmYXVsdF9wZXJtaXNzaW9ucyI6eyJwdWIiOnt9LCJzdWIiOnt9fSwidHlwZSI6ImFjY291bnQiLCJ2ZXJzaW9uIjoyfX0.X\
        5ST0OSmtP9q9E-i8daLQ-Ga7E9SPDYECNnq6ubfULtJ-n2yY2I_AgUbkk7nR8CyKnwVKK2I4RY6v53NIOlXBA
        """
    private static let userToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJVWlA2VUg2MlU1RE1DM0dGU0YyWVpCUUpUQlZLR\
        kFTS0ZBSExHWE1DNFJOVVBYQ000S1JBIiwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJBQ1JCNVVFU1UyN0dCUkYzTTVGMkxYS\
        UdQVFU0STNERDRNVVJTRFNSWVA3RllXM0pFWVZHRkZKViIsIm5hbWUiOiJ3b3JrZXIiLCJzdWIiOiJVRDdMUlRNVFBKVjdYQ\
        TUzTllPRzNKTU1RMkFZU0dQVEhXRDdHWko3TUlPWFhJWUNON1RPWDdOUCIsIm5hdHMiOnsicHViIjp7fSwic3ViIjp7fSwic\
        3VicyI6LTEsImRhdGEiOi0xLCJwYXlsb2FkIjotMSwidHlwZSI6InVzZXIiLCJ2ZXJzaW9uIjoyfX0.fUZwK2uigX5JSARXG\
        Dq1LvWJihfWZBDJrv_RvlVTLNweGFLfGncGhyBWiALVEJMKbDDSKKyylR5W_TnRYHHABw
        """
}
