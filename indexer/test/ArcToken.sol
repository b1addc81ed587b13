// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Test token that is the native coin of Arc when deployed at the coin's address: balances
/// are the coins of the holder, including gas and plain sends; blocked holders neither send nor
/// receive; and the chain logs every movement as well (EIP-7708), as a `Transfer` with 18 decimals
/// from its own address. At any other address it is an ordinary token.
contract ArcToken {
    /// Address at which the token is the native coin.
    address private constant COIN_TOKEN = 0x3600000000000000000000000000000000000000;
    /// Address that logs movements of the coin: in tests, a contract that logs its calldata.
    address private constant SYSTEM = 0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE;
    /// Precompile that moves coins of any holder; anvil has it with `--celo`.
    address private constant MOVE_COINS = address(0xfd);
    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");

    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public totalSupply;
    mapping(address holder => uint256) private _balances;
    mapping(address holder => mapping(address spender => uint256)) public allowance;
    mapping(address holder => bool) public isBlocked;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed holder, address indexed spender, uint256 amount);

    error Blocked(address holder);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    function balanceOf(address holder) public view returns (uint256) {
        return _isCoin() ? holder.balance / _coinsOfUnit() : _balances[holder];
    }

    /// Mints coins out of the balance of the token's own address.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        if (_isCoin()) _moveCoins(address(this), to, amount);
        else _balances[to] += amount;
        emit Transfer(address(0), to, amount);
        _logCoins(address(0), to, amount);
    }

    /// Sends the coin itself: the token emits no event, only the chain logs it.
    function sendCoin(address to, uint256 amount) external {
        _moveCoins(msg.sender, to, amount);
        _logCoins(msg.sender, to, amount);
    }

    function setBlocked(address holder, bool blocked) external {
        isBlocked[holder] = blocked;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(!isBlocked[from], Blocked(from));
        require(!isBlocked[to], Blocked(to));
        if (_isCoin()) {
            _moveCoins(from, to, amount);
        } else {
            _balances[from] -= amount;
            _balances[to] += amount;
        }
        _logCoins(from, to, amount);
        emit Transfer(from, to, amount);
    }

    function _isCoin() private view returns (bool) {
        return address(this) == COIN_TOKEN;
    }

    /// Returns the coin units per token unit: the coin has 18 decimals, the token fewer.
    function _coinsOfUnit() private view returns (uint256) {
        return 10 ** (18 - decimals);
    }

    function _moveCoins(address from, address to, uint256 amount) private {
        (bool isMoved,) = MOVE_COINS.call(abi.encode(from, to, amount * _coinsOfUnit()));
        require(isMoved);
    }

    function _logCoins(address from, address to, uint256 amount) private {
        if (!_isCoin()) return;
        (bool isLogged,) = SYSTEM.call(abi.encode(TRANSFER, from, to, amount * _coinsOfUnit()));
        require(isLogged);
    }
}
