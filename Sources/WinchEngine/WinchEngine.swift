public enum WinchEngine {}
